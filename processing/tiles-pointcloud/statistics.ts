import type { PointBuffer } from '@platen/formats/points/point-buffer';
import type { RecordColumns } from './record-columns.ts';

/** Bins of intensities: 64 values each. */
const intensityShift = 6;
const intensityBins = 1 << (16 - intensityShift);

/** What is known of all points that were read. Plain data. */
export interface PointStatistics {
  read: number;
  kept: number;
  /** Of other classes or returns than those to keep. */
  filtered: number;
  /** Outside of the box that the header of the file gives, or without a place. */
  outside: number;
  /** Points by class. */
  readonly classes: Float64Array;
  /** Points by intensity. */
  readonly intensities: Float64Array;
  /** Points by return number, and by number of returns. */
  readonly numbers: Float64Array;
  readonly returns: Float64Array;
  black: number;
  coloured: number;
  firstTime: number;
  /** The lowest and the highest number of each extra attribute. */
  readonly lowest: number[];
  readonly highest: number[];
  /** Numbers of each that floats cannot tell from their neighbours. */
  readonly rounded: number[];
}

export function createStatistics({ extras }: Pick<RecordColumns, 'extras'>): PointStatistics {
  return {
    read: 0,
    kept: 0,
    filtered: 0,
    outside: 0,
    classes: new Float64Array(256),
    intensities: new Float64Array(intensityBins),
    numbers: new Float64Array(16),
    returns: new Float64Array(16),
    black: 0,
    coloured: 0,
    firstTime: Infinity,
    lowest: extras.map(() => Infinity),
    highest: extras.map(() => -Infinity),
    rounded: extras.map(() => 0),
  };
}

/** Counts points. @param rowOf below 0 of those that are left out */
export function countPoints(
  statistics: PointStatistics,
  points: PointBuffer,
  rowOf: Int32Array,
  { extras }: Pick<RecordColumns, 'extras'>,
): void {
  const { count, colours, gpsTimes } = points;
  const kept = countMarks(statistics, points, rowOf);
  statistics.kept += kept;
  let coloured = 0;
  if (colours)
    for (let i = 0; i < count; i++)
      if (rowOf[i]! >= 0 && (colours[i * 3]! | colours[i * 3 + 1]! | colours[i * 3 + 2]!) !== 0) coloured++;
  statistics.coloured += coloured;
  statistics.black += kept - coloured;
  if (gpsTimes)
    for (let i = 0; i < count; i++)
      if (rowOf[i]! >= 0 && gpsTimes[i]! < statistics.firstTime) statistics.firstTime = gpsTimes[i]!;
  for (const [number, { name, step = Infinity }] of extras.entries()) {
    const values = points.extras?.get(name);
    if (values === undefined) continue;
    for (let i = 0; i < count; i++) {
      if (rowOf[i]! < 0) continue;
      const value = values[i]!;
      if (value < statistics.lowest[number]!) statistics.lowest[number] = value;
      if (value > statistics.highest[number]!) statistics.highest[number] = value;
      if (Math.abs(Math.fround(value) - value) > step / 2) statistics.rounded[number]!++;
    }
  }
}

/** Counts of a call by classes, bins of intensities, and the byte of both returns. */
const classCounts = new Uint32Array(256);
const intensityCounts = new Uint32Array(intensityBins);
const returnCounts = new Uint32Array(256);

/** Counts the values that share a word. @returns the number of points that are kept */
function countMarks(
  { classes, intensities, numbers, returns }: PointStatistics,
  points: PointBuffer,
  rowOf: Int32Array,
): number {
  for (const counts of [classCounts, intensityCounts, returnCounts]) counts.fill(0);
  let kept = 0;
  for (let i = 0; i < rowOf.length; i++) {
    if (rowOf[i]! < 0) continue;
    kept++;
    classCounts[points.classes?.[i] ?? 0]!++;
    intensityCounts[(points.intensities?.[i] ?? 0) >>> intensityShift]!++;
    returnCounts[points.returns?.[i] ?? 0]!++;
  }
  for (let i = 0; i < 256; i++) classes[i]! += classCounts[i]!;
  for (let i = 0; i < intensityBins; i++) intensities[i]! += intensityCounts[i]!;
  for (let i = 0; i < 256; i++) {
    numbers[i & 15]! += returnCounts[i]!;
    returns[i >>> 4]! += returnCounts[i]!;
  }
  return kept;
}

export function addStatistics(to: PointStatistics, from: PointStatistics): void {
  for (const name of ['read', 'kept', 'filtered', 'outside', 'black', 'coloured'] as const)
    to[name] += from[name];
  for (const name of ['classes', 'intensities', 'numbers', 'returns'] as const)
    for (let i = 0; i < to[name].length; i++) to[name][i]! += from[name][i]!;
  for (const [i, low] of from.lowest.entries()) to.lowest[i] = Math.min(to.lowest[i]!, low);
  for (const [i, count] of from.rounded.entries()) to.rounded[i]! += count;
  for (const [i, high] of from.highest.entries()) to.highest[i] = Math.max(to.highest[i]!, high);
  to.firstTime = Math.min(to.firstTime, from.firstTime);
}

/** Whether more than one value occurs. */
export const varies = (counts: Float64Array): boolean => counts.filter((count) => count > 0).length > 1;

/** The intensity below which this share of the points lies. */
export function intensityAt({ intensities, kept }: PointStatistics, share: number): number {
  let sum = 0;
  for (let bin = 0; bin < intensities.length; bin++) {
    sum += intensities[bin]!;
    if (sum >= kept * share) return bin << intensityShift;
  }
  return 65_535;
}

/** All numbers in one row, from which `unpackStatistics` makes the same again. */
export function packStatistics(statistics: PointStatistics): Float64Array<ArrayBuffer> {
  const row: number[] = [];
  for (const value of Object.values(statistics) as (number | Float64Array | number[])[])
    if (typeof value === 'number') row.push(value);
    else row.push(...value);
  return Float64Array.from(row);
}

export function unpackStatistics(row: Float64Array, columns: Pick<RecordColumns, 'extras'>): PointStatistics {
  const statistics = createStatistics(columns);
  let at = 0;
  for (const [name, value] of Object.entries(statistics) as [string, number | Float64Array | number[]][])
    if (typeof value === 'number') Object.assign(statistics, { [name]: row[at++] });
    else for (let i = 0; i < value.length; i++) value[i] = row[at++]!;
  return statistics;
}
