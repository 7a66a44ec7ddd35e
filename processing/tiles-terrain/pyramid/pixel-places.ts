import type { Crs } from '@platen/formats/crs/crs';
import { createPixelFinder } from '../../raster-source/sheet-frame.ts';
import type { Sheet } from '../sheets/sheet.ts';

/** Where cells of a square lie in a sheet, as fractions of pixels: the middle of the first pixel is at 0.5. */
export interface PixelPlaces {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** Pixels that places may be off by. */
const tolerance = 0.125;
const widestStep = 32;

/**
 * Transforms the cells at the nodes of a grid, and interpolates the others. The grid is halved until the middles of its cells
 * are right.
 */
export function placePixels(
  sheet: Sheet,
  crs: Crs,
  { lons, lats }: { readonly lons: Float64Array; readonly lats: Float64Array },
): PixelPlaces {
  const side = lons.length;
  const toPixels = createPixelFinder(sheet, crs);
  for (let step = widestStep; step > 1; step /= 2) {
    const nodes = nodesAt({ lons, lats, step, shift: 0 });
    const at = transform(toPixels, nodes);
    const middles = nodesAt({ lons, lats, step, shift: step / 2 });
    if (isClose(at, transform(toPixels, middles), { nodes, middles })) return interpolate(at, nodes, side);
  }
  return transform(toPixels, nodesAt({ lons, lats, step: 1, shift: 0 }));
}

interface Nodes {
  /** On a side. */
  readonly count: number;
  readonly step: number;
  /** Longitude and latitude of each. */
  readonly places: Float64Array;
}

function nodesAt(grid: {
  readonly lons: Float64Array;
  readonly lats: Float64Array;
  readonly step: number;
  readonly shift: number;
}): Nodes {
  const { lons, lats, step, shift } = grid;
  const side = lons.length;
  const isExact = step === 1;
  const count = isExact ? side : Math.ceil(side / step) + (shift === 0 ? 1 : 0);
  const places = new Float64Array(count * count * 2);
  // beyond the last cell as far as between cells
  const valueAt = (values: Float64Array, i: number): number =>
    i < side ? values[i]! : values[side - 1]! + (i - side + 1) * (values[side - 1]! - values[side - 2]!);
  for (let row = 0, at = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      places[at++] = valueAt(lons, column * step + shift);
      places[at++] = valueAt(lats, row * step + shift);
    }
  }
  return { count, step, places };
}

function transform(toPixels: (places: Float64Array) => void, { count, places }: Nodes): PixelPlaces {
  const at = places.slice();
  toPixels(at);
  const columns = new Float64Array(count * count);
  const rows = new Float64Array(count * count);
  for (let i = 0; i < columns.length; i++) {
    columns[i] = at[i * 2]!;
    rows[i] = at[i * 2 + 1]!;
  }
  return { columns, rows };
}

function isClose(
  { columns, rows }: PixelPlaces,
  exact: PixelPlaces,
  { nodes, middles }: { readonly nodes: Nodes; readonly middles: Nodes },
): boolean {
  const { count } = nodes;
  for (let row = 0; row < middles.count; row++) {
    for (let column = 0; column < middles.count; column++) {
      const at = row * count + column;
      const mean = (values: Float64Array): number =>
        (values[at]! + values[at + 1]! + values[at + count]! + values[at + count + 1]!) / 4;
      const middle = row * middles.count + column;
      const off = Math.max(
        Math.abs(mean(columns) - exact.columns[middle]!),
        Math.abs(mean(rows) - exact.rows[middle]!),
      );
      if (!(off <= tolerance)) return false;
    }
  }
  return true;
}

function interpolate({ columns, rows }: PixelPlaces, nodes: Nodes, side: number): PixelPlaces {
  return {
    columns: interpolateOne(columns, nodes, side),
    rows: interpolateOne(rows, nodes, side),
  };
}

/** Bilinear between nodes: linear along each row, between values that are linear along columns. */
function interpolateOne(values: Float64Array, { count, step }: Nodes, side: number): Float64Array {
  const all = new Float64Array(side * side);
  const line = new Float64Array(count);
  for (let row = 0, at = 0; row < side; row++) {
    const node = Math.floor(row / step) * count;
    const down = (row % step) / step;
    for (let i = 0; i < count; i++) {
      const upper = values[node + i]!;
      line[i] = down === 0 ? upper : upper + (values[node + count + i]! - upper) * down;
    }
    for (let column = 0; column < side; column++, at++) {
      const left = Math.floor(column / step);
      const right = (column % step) / step;
      const west = line[left]!;
      all[at] = right === 0 ? west : west + (line[left + 1]! - west) * right;
    }
  }
  return all;
}
