import type { FileRange } from './scratch-file.ts';

/** Collects all file ranges in a value, at any depth. */
export function fileRangesIn(value: unknown): FileRange[] {
  const found: FileRange[] = [];
  walk(value, (range) => {
    found.push(range);
    return range;
  });
  return found;
}

/** Copies a value with changed paths in its file ranges. */
export function changePaths<T>(value: T, change: (path: string) => string): T {
  return walk(value, (range) => ({ ...range, path: change(range.path) })) as T;
}

/** Visits only arrays and plain objects: maps, sets and buffers contain no ranges and stay the same. */
function walk(value: unknown, change: (range: FileRange) => FileRange): unknown {
  if (Array.isArray(value)) return value.map((one) => walk(one, change));
  if (!isPlain(value)) return value;
  if (isFileRange(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, change)]));
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isFileRange(value: object): value is FileRange {
  const { path, start, end } = value as Partial<FileRange>;
  return typeof path === 'string' && typeof start === 'number' && typeof end === 'number';
}
