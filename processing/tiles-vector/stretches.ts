import type { Stretch } from './scratch.ts';
import type { UnitTiles } from './tile-log.ts';
import type { CountedWarning } from './warning-tally.ts';

/** What a unit has come to. */
export interface MadeUnit {
  readonly tiles: UnitTiles;
  readonly warnings: readonly CountedWarning[];
}

/** The stretches of scratch files that a value names, however deep. */
export function stretchesOf(value: unknown): Stretch[] {
  const found: Stretch[] = [];
  walk(value, (stretch) => {
    found.push(stretch);
    return stretch;
  });
  return found;
}

/** A copy in which they have other paths. */
export function changePaths<T>(value: T, change: (path: string) => string): T {
  return walk(value, (stretch) => ({ ...stretch, path: change(stretch.path) })) as T;
}

/** Lists and plain objects alone: maps, sets and bytes hold none, and stay the same. */
function walk(value: unknown, change: (stretch: Stretch) => Stretch): unknown {
  if (Array.isArray(value)) return value.map((one) => walk(one, change));
  if (!isPlain(value)) return value;
  if (isStretch(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, change)]));
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isStretch(value: object): value is Stretch {
  const { path, start, end } = value as Partial<Stretch>;
  return typeof path === 'string' && typeof start === 'number' && typeof end === 'number';
}
