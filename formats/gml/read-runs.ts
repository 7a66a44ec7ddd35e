import type { SourceFile } from '../source/source.ts';
import { readUtf8 } from '../xml/read-utf8.ts';

/** The bytes of all runs one after the other, without the gaps between them. */
export async function* readRuns(
  file: SourceFile,
  encoding: string,
  runs: readonly number[],
): AsyncGenerator<Uint8Array, void> {
  const start = runs[0]!;
  let at = start;
  let run = 0;
  for await (const chunk of readUtf8(file, encoding, { start, end: runs.at(-1)! })) {
    const end = at + chunk.length;
    while (run < runs.length && runs[run]! < end) {
      yield chunk.subarray(Math.max(0, runs[run]! - at), Math.min(chunk.length, runs[run + 1]! - at));
      if (runs[run + 1]! > end) break;
      run += 2;
    }
    at = end;
  }
}

export function bytesOfRuns(runs: readonly number[]): number {
  let bytes = 0;
  for (let run = 0; run < runs.length; run += 2) bytes += runs[run + 1]! - runs[run]!;
  return bytes;
}

/** The offset in the file of a byte in the runs. */
export function placeInRuns(runs: readonly number[], byte: number): number {
  let before = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const length = runs[run + 1]! - runs[run]!;
    if (byte < before + length) return runs[run]! + byte - before;
    before += length;
  }
  return runs.at(-1)!;
}
