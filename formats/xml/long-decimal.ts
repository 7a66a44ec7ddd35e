import { powersOfTen } from '../text/powers-of-ten.ts';

/** 2^27 + 1, which divides the digits of a double into two halves. */
const splitter = 134_217_729;
/** Digits of an integer that is surely exact. */
const exactDigits = 15;
/** How far the second quotient may be off, as a share of it: far more than it is. */
const doubt = 2 ** -40;

/**
 * The value of a decimal number without exponent whose digits a double cannot hold, in the arithmetic of two doubles (Dekker 1971).
 * @param start of the digits, without a sign
 * @returns the nearest double; undefined where that is in doubt, or with more than 22 digits
 */
export function longDecimal(bytes: Uint8Array, start: number, end: number): number | undefined {
  let first = 0;
  let rest = 0;
  let digits = 0;
  let restDigits = 0;
  let decimals = -1;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 48;
    if (digit < 0) {
      decimals = 0;
      continue;
    }
    if (decimals >= 0) decimals++;
    if (digits === 0 && digit === 0) continue;
    if (digits++ < exactDigits) first = first * 10 + digit;
    else {
      rest = rest * 10 + digit;
      restDigits++;
    }
  }
  return digits > 22 ? undefined : longQuotient(first, rest, powersOfTen[restDigits]!, Math.max(0, decimals));
}

/**
 * (first · power + rest) / 10^decimals, where all of them are exact, and rest is less than the power.
 * @returns the nearest double; undefined where that is in doubt, or with more than 22 decimals
 */
export function longQuotient(
  first: number,
  rest: number,
  power: number,
  decimals: number,
): number | undefined {
  if (decimals > 22) return undefined;
  // all digits as the sum of two doubles
  const product = first * power;
  const below = errorOfProduct(first, power, product) + rest;
  const high = product + below;
  if (decimals === 0) return high;
  const low = below - (high - product);
  const divisor = powersOfTen[decimals]!;
  const quotient = high / divisor;
  const back = quotient * divisor;
  const correction = (high - back - errorOfProduct(quotient, divisor, back) + low) / divisor;
  const value = quotient + correction * (1 - doubt);
  return value === quotient + correction * (1 + doubt) ? value : undefined;
}

/** What a product lacks to be exact. */
function errorOfProduct(a: number, b: number, product: number): number {
  const aSplit = a * splitter;
  const bSplit = b * splitter;
  const aHigh = aSplit - (aSplit - a);
  const bHigh = bSplit - (bSplit - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
