import { BytesError } from '../bytes/bytes.ts';

/** Heights of a zero level above the ellipsoid, at the nodes of a grid of longitudes and latitudes. */
export interface GeoidGrid {
  readonly columns: number;
  readonly rows: number;
  /** Degrees of the first node. */
  readonly west: number;
  readonly north: number;
  /** Degrees between nodes. */
  readonly lonStep: number;
  readonly latStep: number;
  /** Metres, row by row from the north; NaN where the grid has no value. */
  readonly values: Float32Array<ArrayBuffer>;
}

export type GridFrame = Omit<GeoidGrid, 'values'>;

/** 160 MB in memory: the whole of EGM2008 at 2.5 minutes has 37 million nodes. */
export const maxNodes = 40_000_000;
/** Degrees. */
const minStep = 1e-4;
const maxStep = 10;
/** Rounding errors of headers, as a share of a step. */
const tolerance = 0.01;
/** Metres: EGM96 ranges from −107 to 85. */
const maxUndulation = 150;

/** Call it before any memory is reserved. @throws BytesError when it frames no grid on Earth */
export function checkFrame({ columns, rows, west, north, lonStep, latStep }: GridFrame): void {
  const isCount = (value: number) => Number.isInteger(value) && value >= 2;
  if (!isCount(columns) || !isCount(rows)) throw new BytesError('its header is damaged: it has no size');
  const isStep = (value: number) => value >= minStep && value <= maxStep;
  if (!isStep(lonStep) || !isStep(latStep))
    throw new BytesError(`its nodes are ${lonStep}° and ${latStep}° apart, which no geoid grid has`);
  const slack = tolerance * latStep;
  const isOnEarth =
    Math.abs(west) <= 360 &&
    north <= 90 + slack &&
    north - (rows - 1) * latStep >= -90 - slack &&
    (columns - 1) * lonStep <= 360 + tolerance * lonStep;
  if (!isOnEarth) throw new BytesError('its header is damaged: its area is not on Earth');
}

/**
 * @param values belongs to the grid from now on
 * @throws BytesError when the values are not those of a geoid
 */
export function createGrid(frame: GridFrame, values: Float32Array<ArrayBuffer>): GeoidGrid {
  checkFrame(frame);
  let validCount = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size <= maxUndulation) validCount++;
    else if (size > maxUndulation)
      throw new BytesError(
        `it has a value of ${values[i]!.toPrecision(6)}: a geoid is never that far from the ellipsoid`,
      );
  }
  if (validCount === 0) throw new BytesError('it has no values');
  return isRing(frame) ? closeRing(frame, values) : { ...frame, values };
}

/** Whether the last column is the neighbour of the first. */
export function isRing({ columns, lonStep }: GridFrame): boolean {
  return Math.abs(columns * lonStep - 360) < tolerance * lonStep;
}

/** Repeats the first column behind the last, so that no cell needs two places of a row. */
function closeRing(frame: GridFrame, values: Float32Array<ArrayBuffer>): GeoidGrid {
  const { columns, rows } = frame;
  const closed = new Float32Array((columns + 1) * rows);
  for (let row = 0; row < rows; row++) {
    const line = values.subarray(row * columns, (row + 1) * columns);
    closed.set(line, row * (columns + 1));
    closed[row * (columns + 1) + columns] = line[0]!;
  }
  return { ...frame, columns: columns + 1, values: closed };
}

/** West, south, east, north of the nodes, in degrees; the east may exceed 180. */
export function boxOfGrid({ west, north, columns, rows, lonStep, latStep }: GridFrame) {
  return [west, north - (rows - 1) * latStep, west + (columns - 1) * lonStep, north] as const;
}

/** Metres by bilinear interpolation; NaN outside the grid, and next to a node without a value. */
export function interpolate(grid: GeoidGrid, lon: number, lat: number): number {
  const { columns, rows, values } = grid;
  const turn = 360 / grid.lonStep;
  let x = (lon - grid.west) / grid.lonStep;
  x -= turn * Math.floor(x / turn);
  const y = (grid.north - lat) / grid.latStep;
  if (!(x <= columns - 1 && y >= 0 && y <= rows - 1)) return NaN;
  const column = Math.min(Math.floor(x), columns - 2);
  const row = Math.min(Math.floor(y), rows - 2);
  const at = row * columns + column;
  const dx = x - column;
  const upper = values[at]! + (values[at + 1]! - values[at]!) * dx;
  const lower = values[at + columns]! + (values[at + columns + 1]! - values[at + columns]!) * dx;
  return upper + (lower - upper) * (y - row);
}
