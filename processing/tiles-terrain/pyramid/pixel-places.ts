import type { Crs } from '@platen/formats/crs/crs';
import { placePixels as placeNodes, type PixelPlaces as NodePlaces } from '@platen/geo/raster/control-grid';
import { createPixelFinder } from '../../raster-source/sheet-frame.ts';
import type { Sheet } from '../sheets/sheet.ts';

/** Where cells of a square lie in a sheet, as fractions of pixels: the middle of the first pixel is at 0.5. */
export interface PixelPlaces {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

export function createPixelPlaces(side: number): PixelPlaces {
  return { columns: new Float64Array(side * side), rows: new Float64Array(side * side) };
}

/**
 * Transforms the cells at the nodes of a grid that is close enough, and interpolates the others.
 * @param places what they are written to: fresh memory takes as long as the work
 */
export function placePixels(
  sheet: Sheet,
  crs: Crs,
  { lons, lats }: { readonly lons: Float64Array; readonly lats: Float64Array },
  places: PixelPlaces = createPixelPlaces(lons.length),
): PixelPlaces {
  const side = lons.length;
  const toPixels = createPixelFinder(sheet, crs);
  // nodes and the middles between them are cells
  const nodes = placeNodes(side, (at) => {
    for (let i = 0; i < at.length; i += 2) {
      at[i] = valueAt(lons, at[i]! - 0.5);
      at[i + 1] = valueAt(lats, at[i + 1]! - 0.5);
    }
    toPixels(at);
  });
  interpolate(nodes, 0, places.columns);
  interpolate(nodes, 1, places.rows);
  return places;
}

/** Beyond the last cell as far as between cells. */
function valueAt(values: Float64Array, i: number): number {
  const last = values.length - 1;
  return i <= last ? values[i]! : values[last]! + (i - last) * (values[last]! - values[last - 1]!);
}

/** Bilinear between nodes: linear along each row, between values that are linear along columns. @param axis 0: columns */
function interpolate({ side, step, count, places }: NodePlaces, axis: 0 | 1, all: Float64Array): void {
  const shares = Float64Array.from({ length: step }, (_, i) => i / step);
  const line = new Float64Array(count);
  for (let row = 0, at = 0; row < side; row++) {
    const node = Math.floor(row / step) * count;
    const down = (row % step) / step;
    for (let i = 0; i < count; i++) {
      const upper = places[(node + i) * 2 + axis]!;
      line[i] = down === 0 ? upper : upper + (places[(node + count + i) * 2 + axis]! - upper) * down;
    }
    for (let left = 0; left < count - 1; left++) {
      const west = line[left]!;
      const across = line[left + 1]! - west;
      all[at++] = west;
      for (let i = 1; i < step; i++, at++) all[at] = west + across * shares[i]!;
    }
  }
}
