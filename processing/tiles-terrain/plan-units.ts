import { blockAt, blockCounts, type BlockPlace, type HeightGrid } from '@platen/geo/terrain/height-grid';
import { hilbertOf } from '@platen/geo/hilbert/hilbert';
import { JobFailure } from '../job-type.ts';
import type { PlannedSheet } from './plan-sheets.ts';
import { keyOf, layersOf, type PyramidShape } from './pyramid/zoom-layers.ts';
import type { OutputKind } from './settings.ts';

/** Cells of terrain are at most this many times as large as those of the finest sheet. */
const maxCellRatio = 1.2;
const maxBaseZoom = 22;
const maxUnits = 4_000_000;

/** Cells of 64 a side make meshes of 65 vertices a side, and of 256 a side images. */
export function shapeOf(
  kind: OutputKind,
  sheets: readonly PlannedSheet[],
  maxZoom: number | undefined,
): PyramidShape {
  const isMesh = kind === 'quantizedMesh';
  const grid = isMesh
    ? ({ kind: 'geographic', side: 64 } as const)
    : ({ kind: 'mercator', side: 256 } as const);
  const finest = Math.min(
    ...sheets.map(({ pixelDegrees, box }) => {
      const middle = ((box[1] + box[3]) / 2) * (Math.PI / 180);
      // cells of web mercator are smaller away from the equator
      return isMesh ? pixelDegrees : pixelDegrees / Math.max(0.05, Math.cos(middle));
    }),
  );
  const whole = isMesh ? 180 : 360;
  const natural = Math.ceil(Math.log2(whole / grid.side / (finest * maxCellRatio)));
  const baseZoom = Math.min(maxBaseZoom, Math.max(0, natural, maxZoom ?? 0));
  return { grid, baseZoom, depth: isMesh ? 4 : 2 };
}

/** A unit of the base with the numbers of the sheets that may have data there, in their order. */
export interface BaseUnit {
  readonly unit: BlockPlace;
  readonly sheets: readonly number[];
}

/** Along the Hilbert curve. @throws JobFailure if there are too many */
export function planUnits(shape: PyramidShape, sheets: readonly PlannedSheet[]): BaseUnit[] {
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
      if (units.size > maxUnits)
        throw new JobFailure(
          'tooLarge',
          `The sheets cover so much that terrain at the resolution of the finest one (${sheets[0]!.name}) would have more than ${maxUnits * 64} tiles. Make terrain of fine and coarse sheets apart.`,
        );
    }
  }
  return inArchiveOrder([...units.values()], shape.grid, ({ unit }) => unit);
}

/** The zoom in an archive: the two blocks of zoom 0 of a geographic grid are the upper half of zoom 1 there. */
export function archiveZoomOf({ kind }: HeightGrid, z: number): number {
  return kind === 'geographic' ? z + 1 : z;
}

/** Sorts places of one zoom as an archive has them, along the Hilbert curve. */
export function inArchiveOrder<T>(
  items: readonly T[],
  grid: HeightGrid,
  placeOf: (item: T) => BlockPlace,
): T[] {
  const keyed = items.map((item) => {
    const { z, x, y } = placeOf(item);
    return { item, at: hilbertOf(archiveZoomOf(grid, z), x, y) };
  });
  return keyed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
