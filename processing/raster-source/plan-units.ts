import { blockAt, blockCounts, type BlockPlace } from '@platen/geo/terrain/height-grid';
import { inArchiveOrder } from './archive-order.ts';
import { keyOf, layersOf, type PyramidShape } from './zoom-layers.ts';

/** A unit of the base with the numbers of the sheets that may have data there, in their order. */
export interface BaseUnit {
  readonly unit: BlockPlace;
  readonly sheets: readonly number[];
}

/** West, south, east, north in degrees; the east may exceed 180. */
export type DegreeBox = readonly [west: number, south: number, east: number, north: number];

export const maxUnits = 4_000_000;

/** Along the Hilbert curve. @returns undefined if there are more than `maxUnits` */
export function planUnits(
  shape: PyramidShape,
  sheets: readonly { readonly box: DegreeBox }[],
): BaseUnit[] | undefined {
  const { rootZoom } = layersOf(shape)[0]!;
  const [columns, rows] = blockCounts(shape.grid, rootZoom);
  const units = new Map<string, { unit: BlockPlace; sheets: number[] }>();
  for (const [
    number,
    {
      box: [west, south, east, north],
    },
  ] of sheets.entries()) {
    const first = blockAt(shape.grid, rootZoom, [west, north]);
    const last = blockAt(shape.grid, rootZoom, [east, south]);
    const toX = Math.min(Math.floor(last.x), Math.floor(first.x) + columns - 1);
    const toY = Math.min(rows - 1, Math.floor(last.y));
    for (let y = Math.max(0, Math.floor(first.y)); y <= toY; y++) {
      for (let x = Math.floor(first.x); x <= toX; x++) {
        const unit = { z: rootZoom, x: ((x % columns) + columns) % columns, y };
        const known = units.get(keyOf(unit));
        if (known === undefined) units.set(keyOf(unit), { unit, sheets: [number] });
        else if (known.sheets.at(-1) !== number) known.sheets.push(number);
      }
      if (units.size > maxUnits) return undefined;
    }
  }
  return inArchiveOrder([...units.values()], shape.grid, ({ unit }) => unit);
}
