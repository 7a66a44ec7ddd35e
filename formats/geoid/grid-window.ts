import { BytesError } from '../bytes/bytes.ts';
import { isRing, maxNodes, type GridFrame } from './geoid-grid.ts';

/** West, south, east, north in degrees; the west is greater than the east across 180°. */
export type GeoidBox = readonly [number, number, number, number];

/** The nodes of a file that are needed. */
export interface GridWindow {
  readonly frame: GridFrame;
  readonly firstRow: number;
  /** The column in the window for each of the file; -1: not needed. */
  readonly targets: Int32Array;
}

/** Degrees around the box: more than the reach of blending at 75° of latitude. */
const margin = 0.75;

/** The part of a grid around a box, or all of it. @throws BytesError when it misses the box, or is too large */
export function windowOf(file: GridFrame, box: GeoidBox | undefined): GridWindow {
  const rows = box === undefined ? [0, file.rows] : rowsOf(file, box);
  const [firstColumn, columns] = box === undefined ? [0, file.columns] : columnsOf(file, box);
  const [firstRow, rowCount] = rows as [number, number];
  if (columns < 2 || rowCount < 2)
    throw new BytesError(`it covers another region: ${describeArea(file)}, not the area of the data`);
  if (columns * rowCount > maxNodes)
    throw new BytesError(`${columns} × ${rowCount} of its nodes are needed, more than ${maxNodes} in total`);
  const targets = new Int32Array(file.columns).fill(-1);
  for (let i = 0; i < columns; i++) targets[(firstColumn + i) % file.columns] = i;
  const frame = {
    ...file,
    columns,
    rows: rowCount,
    west: file.west + firstColumn * file.lonStep,
    north: file.north - firstRow * file.latStep,
  };
  return { frame, firstRow, targets };
}

function rowsOf({ north, latStep, rows }: GridFrame, [, south, , top]: GeoidBox): [number, number] {
  const first = Math.max(0, Math.floor((north - top - margin) / latStep));
  const last = Math.min(rows - 1, Math.ceil((north - south + margin) / latStep));
  return [first, last - first + 1];
}

function columnsOf(file: GridFrame, [west, , east]: GeoidBox): [number, number] {
  const { west: first, lonStep, columns } = file;
  const width = (east < west ? east - west + 360 : east - west) + 2 * margin;
  const eastwards = (((west - margin - first) % 360) + 360) % 360;
  if (isRing(file)) {
    const count = Math.ceil(width / lonStep) + 2;
    return count >= columns ? [0, columns] : [Math.floor(eastwards / lonStep), count];
  }
  const isTurn = eastwards + width >= 360;
  // the box begins in the grid and reaches around the Earth to its other end
  if (isTurn && eastwards <= (columns - 1) * lonStep) return [0, columns];
  // the box may begin in the west of the grid, which is then less than a turn further on
  const start = isTurn ? eastwards - 360 : eastwards;
  const from = Math.max(0, Math.floor(start / lonStep));
  const to = Math.min(columns - 1, Math.ceil((start + width) / lonStep));
  return [from, to - from + 1];
}

function describeArea({ west, north, columns, rows, lonStep, latStep }: GridFrame): string {
  const degrees = (value: number) => `${Number(value.toFixed(2))}°`;
  const east = west + (columns - 1) * lonStep;
  return `${degrees(west)} to ${degrees(east)} east, ${degrees(north - (rows - 1) * latStep)} to ${degrees(north)} north`;
}
