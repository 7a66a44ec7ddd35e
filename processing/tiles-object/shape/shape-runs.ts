import type { FileRange } from '../../kit/scratch-file.ts';

/** Shapes in one file, in any order; few objects for many shapes, so that they are quick to send and to save. Plain data. */
export interface ShapeRun {
  /** All of them, and what is between them. */
  readonly file: FileRange;
  /** Where each begins and ends. */
  readonly offsets: Float64Array;
}

/** Ranges in their order, a run for all that follow each other in one file. */
export function runsOf(ranges: readonly FileRange[]): ShapeRun[] {
  const runs: ShapeRun[] = [];
  for (let i = 0; i < ranges.length;) {
    const { path } = ranges[i]!;
    const offsets: number[] = [];
    let [first, last] = [Infinity, 0];
    for (; i < ranges.length && ranges[i]!.path === path; i++) {
      const { start, end } = ranges[i]!;
      offsets.push(start, end);
      first = Math.min(first, start);
      last = Math.max(last, end);
    }
    runs.push({ file: { path, start: first, end: last }, offsets: new Float64Array(offsets) });
  }
  return runs;
}

export function rangesOf(runs: readonly ShapeRun[]): FileRange[] {
  const ranges: FileRange[] = [];
  for (const { file, offsets } of runs)
    for (let i = 0; i < offsets.length; i += 2)
      ranges.push({ path: file.path, start: offsets[i]!, end: offsets[i + 1]! });
  return ranges;
}
