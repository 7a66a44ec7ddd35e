import type { PointSelection } from '@platen/formats/points/point-file';
import type { PointBuffer } from '@platen/formats/points/point-buffer';
import { coordinateColumns } from '@platen/geo/point-tree/cloud';
import { noNumber, type ChosenAttributes, type ExtraAttribute } from './attributes.ts';
import type { PointSheet } from './sheets/sheet.ts';
import type { Settings } from './settings.ts';
import type { AttributeName } from './attribute-names.ts';

/**
 * The words of a point besides its place: the number of the column of each, undefined if no point needs it. Intensity, class and
 * returns share a word, red, green, blue and user data another.
 */
export interface RecordColumns {
  readonly count: number;
  readonly marks: number;
  readonly colour: number | undefined;
  /** The time: both words of it if it is kept, else a hash that tells duplicates apart. */
  readonly time: number | undefined;
  readonly keepsTime: boolean;
  /** The point source, and infrared. */
  readonly source: number | undefined;
  readonly angle: number | undefined;
  /** The distance to the older cloud, as float. */
  readonly distance: number | undefined;
  readonly extras: readonly ExtraColumn[];
}

export interface ExtraColumn extends ExtraAttribute {
  readonly column: number;
}

/** Only what is asked for and there. */
export function columnsOf(
  sheets: readonly PointSheet[],
  { named = [], extras }: ChosenAttributes,
  { colour: coloured, compareMetres }: Pick<Settings, 'colour' | 'compareMetres'>,
): RecordColumns {
  const asks = (...names: readonly AttributeName[]): boolean => named.some((name) => names.includes(name));
  let count = coordinateColumns;
  const next = (isNeeded: boolean, words = 1): number | undefined => {
    if (!isNeeded) return undefined;
    count += words;
    return count - words;
  };
  const marks = next(true)!;
  const colour = next(
    coloured !== undefined || sheets.some(({ hasColours }) => hasColours) || asks('userData'),
  );
  const keepsTime = asks('gpsTime');
  const time = next(
    sheets.some(({ hasTimes }) => hasTimes),
    keepsTime ? 2 : 1,
  );
  const source = next(asks('pointSource', 'infrared'));
  const angle = next(asks('scanAngle'));
  const distance = next(compareMetres !== undefined);
  const placed = extras.map((extra) => ({ ...extra, column: next(true)! }));
  return { count, marks, colour, time, keepsTime, source, angle, distance, extras: placed };
}

/** What has to be read of points for these. */
export function selectionOf(columns: RecordColumns): PointSelection {
  const { colour, time, source, angle, extras } = columns;
  return {
    fields: new Set([
      ...(['classification', 'flags', 'intensity'] as const),
      ...(colour === undefined ? [] : (['colour', 'userData'] as const)),
      ...(time === undefined ? [] : (['gpsTime'] as const)),
      ...(source === undefined ? [] : (['pointSource', 'infrared'] as const)),
      ...(angle === undefined ? [] : (['scanAngle'] as const)),
      ...(extras.length === 0 ? [] : (['extraBytes'] as const)),
    ]),
    extras: extras.map(({ name }) => name),
  };
}

const floatBits = new Float32Array(1);
const floatWord = new Uint32Array(floatBits.buffer);

/** Where points of a part go. */
export interface PointRows {
  readonly rows: Uint32Array;
  /** Where the row of each point begins; below 0 of those that have none. */
  readonly rowOf: Int32Array;
}

/** Writes the words of points after their coordinates, column by column. @param colourShift bits by which colours are too deep */
export function writeColumns(
  to: PointRows,
  points: PointBuffer,
  { columns, colourShift }: { readonly columns: RecordColumns; readonly colourShift: number },
): void {
  writeMarks(to, points, columns.marks);
  if (columns.colour !== undefined) writeColours(to, points, { column: columns.colour, colourShift });
  if (columns.time !== undefined) writeTimes(to, points, { column: columns.time, keeps: columns.keepsTime });
  if (columns.source !== undefined) writeSources(to, points, columns.source);
  if (columns.angle !== undefined) writeNumbers(to, points.scanAngles, { column: columns.angle, missing: 0 });
  for (const { name, column, kind } of columns.extras)
    writeNumbers(to, points.extras?.get(name), { column, missing: noNumber, isInteger: kind !== 'float' });
}

function writeMarks(
  { rows, rowOf }: PointRows,
  { intensities, classes, returns }: PointBuffer,
  column: number,
): void {
  for (let i = 0; i < rowOf.length; i++)
    if (rowOf[i]! >= 0)
      rows[rowOf[i]! + column] =
        (intensities?.[i] ?? 0) | ((classes?.[i] ?? 0) << 16) | ((returns?.[i] ?? 0) << 24);
}

function writeColours(
  { rows, rowOf }: PointRows,
  { userData, colours }: PointBuffer,
  { column, colourShift }: { readonly column: number; readonly colourShift: number },
): void {
  for (let i = 0; i < rowOf.length; i++) {
    if (rowOf[i]! < 0) continue;
    let word = (userData?.[i] ?? 0) << 24;
    if (colours !== undefined)
      word |=
        Math.min(255, colours[i * 3]! >>> colourShift) |
        (Math.min(255, colours[i * 3 + 1]! >>> colourShift) << 8) |
        (Math.min(255, colours[i * 3 + 2]! >>> colourShift) << 16);
    rows[rowOf[i]! + column] = word;
  }
}

function writeTimes(
  { rows, rowOf }: PointRows,
  { gpsTimes }: PointBuffer,
  { column, keeps }: { readonly column: number; readonly keeps: boolean },
): void {
  // both words of each
  const words =
    gpsTimes === undefined
      ? new Uint32Array(2 * rowOf.length)
      : new Uint32Array(gpsTimes.buffer, gpsTimes.byteOffset, 2 * gpsTimes.length);
  for (let i = 0; i < rowOf.length; i++) {
    const row = rowOf[i]!;
    if (row < 0) continue;
    const [low, high] = [words[2 * i]!, words[2 * i + 1]!];
    rows[row + column] = keeps ? high : Math.imul(high, 0x9e37_79b1) ^ low;
    if (keeps) rows[row + column + 1] = low;
  }
}

function writeSources({ rows, rowOf }: PointRows, { sources, infrared }: PointBuffer, column: number): void {
  for (let i = 0; i < rowOf.length; i++)
    if (rowOf[i]! >= 0) rows[rowOf[i]! + column] = (sources?.[i] ?? 0) | ((infrared?.[i] ?? 0) << 16);
}

/** As floats, or as they are. @param missing of points without a number */
function writeNumbers(
  { rows, rowOf }: PointRows,
  values: Float32Array | Float64Array | undefined,
  {
    column,
    missing,
    isInteger = false,
  }: { readonly column: number; readonly missing: number; readonly isInteger?: boolean },
): void {
  for (let i = 0; i < rowOf.length; i++) {
    if (rowOf[i]! < 0) continue;
    const value = values?.[i] ?? NaN;
    const number = Number.isNaN(value) ? missing : value;
    floatBits[0] = number;
    rows[rowOf[i]! + column] = isInteger ? number : floatWord[0]!;
  }
}
