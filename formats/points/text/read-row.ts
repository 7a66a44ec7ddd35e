import { parseDecimal } from '../../text/parse-decimal.ts';

const [space, quote, comma, semicolon, bar] = [32, 34, 44, 59, 124];

/**
 * Reads the numbers of a line that are separated by blanks, commas, semicolons or bars; NaN for words and for empty cells.
 * @param point the byte between the whole and the fraction of numbers: 46, or 44 for a decimal comma
 * @param values as many as it has places are kept
 * @returns how many the line has
 */
export function readRow(
  bytes: Buffer,
  [start, end]: readonly [number, number],
  point: number,
  values: Float64Array,
): number {
  let count = 0;
  let isDue = true;
  const push = (value: number): void => {
    if (count < values.length) values[count] = value;
    count++;
  };
  const separates = (byte: number): boolean =>
    byte === semicolon || byte === bar || (byte === comma && point !== comma);
  for (let at = start; at < end;) {
    const byte = bytes[at]!;
    if (byte <= space || byte === quote) {
      at++;
      continue;
    }
    if (separates(byte)) {
      if (isDue) push(NaN);
      isDue = true;
      at++;
      continue;
    }
    let next = at + 1;
    while (next < end && bytes[next]! > space && bytes[next] !== quote && !separates(bytes[next]!)) next++;
    push(parseDecimal(bytes, at, next, point));
    isDue = false;
    at = next;
  }
  return count;
}

/** Whether a line has nothing, or is a comment. */
export function isSilent(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes[at]! <= space) at++;
  if (at === end) return true;
  const byte = bytes[at]!;
  // # % ! and //
  return byte === 35 || byte === 37 || byte === 33 || (byte === 47 && bytes[at + 1] === 47);
}
