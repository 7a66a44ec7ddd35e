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

const timeBits = new Float64Array(1);
const timeWords = new Uint32Array(timeBits.buffer);
const floatBits = new Float32Array(1);
const floatWord = new Uint32Array(floatBits.buffer);

/** Writes the words of a point after its coordinates. @param colourShift bits by which colours are too deep */
export function writeWords(
  row: Uint32Array,
  at: number,
  points: PointBuffer,
  {
    i,
    columns,
    colourShift,
  }: { readonly i: number; readonly columns: RecordColumns; readonly colourShift: number },
): void {
  row[at + columns.marks] =
    ((points.intensities?.[i] ?? 0) |
      ((points.classes?.[i] ?? 0) << 16) |
      ((points.returns?.[i] ?? 0) << 24)) >>>
    0;
  if (columns.colour !== undefined) {
    const { colours } = points;
    let word = (points.userData?.[i] ?? 0) << 24;
    if (colours)
      word |=
        Math.min(255, colours[i * 3]! >>> colourShift) |
        (Math.min(255, colours[i * 3 + 1]! >>> colourShift) << 8) |
        (Math.min(255, colours[i * 3 + 2]! >>> colourShift) << 16);
    row[at + columns.colour] = word >>> 0;
  }
  if (columns.time !== undefined) {
    timeBits[0] = points.gpsTimes?.[i] ?? 0;
    if (columns.keepsTime) {
      row[at + columns.time] = timeWords[1]!;
      row[at + columns.time + 1] = timeWords[0]!;
    } else row[at + columns.time] = (Math.imul(timeWords[1]!, 0x9e37_79b1) ^ timeWords[0]!) >>> 0;
  }
  if (columns.source !== undefined)
    row[at + columns.source] = ((points.sources?.[i] ?? 0) | ((points.infrared?.[i] ?? 0) << 16)) >>> 0;
  if (columns.angle !== undefined) {
    floatBits[0] = points.scanAngles?.[i] ?? 0;
    row[at + columns.angle] = floatWord[0]!;
  }
  for (const { name, column, kind } of columns.extras) {
    const value = points.extras?.get(name)?.[i] ?? NaN;
    floatBits[0] = Number.isNaN(value) ? noNumber : value;
    row[at + column] = kind === 'float' ? floatWord[0]! : value;
  }
}
