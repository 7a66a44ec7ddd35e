import { powersOfTen } from './powers-of-ten.ts';

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number that bytes `start` to `end` spell: a sign, digits with a fraction, an exponent; NaN for anything else.
 * @param point the byte between the whole and the fraction: 46, or 44 for a decimal comma
 */
export function parseDecimal(bytes: Buffer, start: number, end: number, point = 46): number {
  let at = start;
  const first = bytes[at]!;
  if (first === 45 || first === 43) at++;
  const digitsStart = at;
  let mantissa = 0;
  let pointAt = -1;
  for (; at < end; at++) {
    const digit = bytes[at]! - 48;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (bytes[at] === point && pointAt < 0) pointAt = at;
    else return parseSlowly(bytes, start, end, point);
  }
  const digits = at - digitsStart - (pointAt < 0 ? 0 : 1);
  if (digits <= 0) return Number.NaN;
  const fraction = pointAt < 0 ? 0 : end - pointAt - 1;
  // Both are exact doubles, and so the quotient is the nearest double (Clinger 1990).
  if (mantissa > Number.MAX_SAFE_INTEGER || fraction > 22) return parseSlowly(bytes, start, end, point);
  const value = mantissa / powersOfTen[fraction]!;
  return first === 45 ? -value : value;
}

function parseSlowly(bytes: Buffer, start: number, end: number, point: number): number {
  if (end - start > 1000) return Number.NaN;
  let text = bytes.toString('latin1', start, end);
  if (point !== 46) text = text.includes('.') ? '' : text.replace(String.fromCharCode(point), '.');
  return decimal.test(text) ? Number(text) : Number.NaN;
}
