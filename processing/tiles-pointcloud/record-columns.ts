import type { PointBuffer } from '@platen/formats/points/point-buffer';
import { coordinateColumns } from '@platen/geo/point-tree/cloud';
import type { Settings } from './settings.ts';
import type { PointSheet } from './sheets/sheet.ts';

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
}

/** Only what is asked for and there. */
export function columnsOf(sheets: readonly PointSheet[], { attributes = [] }: Settings): RecordColumns {
  const asks = (...names: readonly string[]): boolean => attributes.some((name) => names.includes(name));
  let count = coordinateColumns;
  const next = (isNeeded: boolean, words = 1): number | undefined => {
    if (!isNeeded) return undefined;
    count += words;
    return count - words;
  };
  const marks = next(true)!;
  const colour = next(sheets.some(({ hasColours }) => hasColours) || asks('userData'));
  const keepsTime = asks('gpsTime');
  const time = next(
    sheets.some(({ hasTimes }) => hasTimes),
    keepsTime ? 2 : 1,
  );
  const source = next(asks('pointSource', 'infrared'));
  const angle = next(asks('scanAngle'));
  return { count, marks, colour, time, keepsTime, source, angle };
}

const timeBits = new Float64Array(1);
const timeWords = new Uint32Array(timeBits.buffer);
const angleBits = new Float32Array(1);
const angleWord = new Uint32Array(angleBits.buffer);

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
    angleBits[0] = points.scanAngles?.[i] ?? 0;
    row[at + columns.angle] = angleWord[0]!;
  }
}
