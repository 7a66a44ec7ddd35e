import { setImmediate } from 'node:timers/promises';
import type { Bytes } from '../bytes/bytes.ts';
import { parseDecimal } from './parse-decimal.ts';

export interface NumberOptions {
  /** Only the first so many numbers of each line count, and lines with fewer, such as headings, are left out. */
  readonly perLine?: number;
}

const chunkBytes = 1 << 18;
/** Of texts with longer ones, no more is read. */
const maxLineBytes = 4 << 20;
const [space, comma, semicolon] = [32, 44, 59];
const newLines: ReadonlySet<number> = new Set([10, 13]);

/**
 * Scans text for numbers that are separated by spaces, tabs, semicolons or line ends, and by commas where there are several
 * numbers in a line; otherwise a comma is that of a decimal. What is no number becomes NaN.
 */
export async function* readNumbers(
  bytes: Bytes,
  start: number,
  { perLine }: NumberOptions = {},
): AsyncGenerator<Float64Array> {
  const separators = new Set([space, 9, semicolon, ...(perLine === undefined ? [] : [comma])]);
  let rest: Uint8Array = new Uint8Array(0);
  for (let offset = start; offset < bytes.size || rest.length > 0;) {
    const read = await bytes.read(offset, chunkBytes);
    offset += read.length;
    const isLast = read.length === 0 || offset >= bytes.size;
    const chunk = Buffer.concat([rest, read]);
    const end = isLast ? chunk.length : endOfLines(chunk, perLine !== undefined);
    if (end === 0 && !isLast && chunk.length > maxLineBytes) return;
    yield perLine === undefined
      ? scan(chunk.subarray(0, end), separators)
      : scanLines(chunk.subarray(0, end), separators, perLine);
    rest = chunk.subarray(end);
    if (isLast) return;
    // bytes in memory are read at once
    await setImmediate();
  }
}

/** Behind the last line, or at least the last word, that is complete. */
function endOfLines(chunk: Uint8Array, isByLine: boolean): number {
  for (let i = chunk.length - 1; i >= 0; i--) {
    const byte = chunk[i]!;
    if (newLines.has(byte) || (!isByLine && byte <= space)) return i + 1;
  }
  return 0;
}

function scan(chunk: Buffer, separators: ReadonlySet<number>): Float64Array {
  const numbers = new Float64Array((chunk.length >> 1) + 1);
  let count = 0;
  for (let at = 0; at < chunk.length;) {
    if (separators.has(chunk[at]!) || newLines.has(chunk[at]!)) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < chunk.length && !separators.has(chunk[end]!) && !newLines.has(chunk[end]!)) end++;
    numbers[count++] = numberIn(chunk, at, end);
    at = end;
  }
  return numbers.subarray(0, count);
}

function scanLines(chunk: Buffer, separators: ReadonlySet<number>, perLine: number): Float64Array {
  const numbers = new Float64Array(Math.ceil(chunk.length / 2) + perLine);
  let count = 0;
  let inLine = 0;
  for (let at = 0; at <= chunk.length;) {
    const byte = chunk[at];
    if (byte === undefined || newLines.has(byte)) {
      const line = numbers.subarray(count, count + perLine);
      if (inLine === perLine && line.every(Number.isFinite)) count += perLine;
      inLine = 0;
      at++;
      continue;
    }
    if (separators.has(byte)) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < chunk.length && !separators.has(chunk[end]!) && !newLines.has(chunk[end]!)) end++;
    if (inLine < perLine) numbers[count + inLine++] = numberIn(chunk, at, end);
    at = end;
  }
  return numbers.subarray(0, count);
}

function numberIn(chunk: Buffer, start: number, end: number): number {
  const value = parseDecimal(chunk, start, end);
  return Number.isNaN(value) ? parseDecimal(chunk, start, end, comma) : value;
}
