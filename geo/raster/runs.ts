/** Columns of a row of pixels: the first of a run, and the one after its last, then those of the next, in ascending order. */
export type Runs = readonly number[];

/** The runs that have a column in common with one of the others. */
export function touching(runs: Runs, others: Runs): Runs {
  const found: number[] = [];
  for (let i = 0, other = 0; i < runs.length && other < others.length;) {
    const [start, end] = [runs[i]!, runs[i + 1]!];
    if (others[other + 1]! <= start) other += 2;
    else {
      if (others[other]! < end) found.push(start, end);
      i += 2;
    }
  }
  return found;
}

/** The columns of both, as the fewest runs. */
export function joinRuns(a: Runs, b: Runs): Runs {
  const joined: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const isFirst = j >= b.length || (i < a.length && a[i]! <= b[j]!);
    const [runs, at] = isFirst ? [a, i] : [b, j];
    if (isFirst) i += 2;
    else j += 2;
    addRun(joined, runs[at]!, runs[at + 1]!);
  }
  return joined;
}

/** The columns that are in both. */
export function commonRuns(a: Runs, b: Runs): Runs {
  const common: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const start = Math.max(a[i]!, b[j]!);
    const end = Math.min(a[i + 1]!, b[j + 1]!);
    if (start < end) common.push(start, end);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return common;
}

/** Runs that are wider on both sides, within the row. */
export function widenRuns(runs: Runs, by: number, width: number): Runs {
  const wide: number[] = [];
  for (let i = 0; i < runs.length; i += 2)
    addRun(wide, Math.max(0, runs[i]! - by), Math.min(width, runs[i + 1]! + by));
  return wide;
}

/** Adds a run that does not begin before the last one does. */
export function addRun(runs: number[], start: number, end: number): void {
  const last = runs.length - 1;
  if (last > 0 && runs[last]! >= start) runs[last] = Math.max(runs[last]!, end);
  else runs.push(start, end);
}
