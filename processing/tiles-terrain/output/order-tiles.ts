import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { blockCounts, type BlockPlace } from '@platen/geo/terrain/height-grid';
import { archiveZoomOf, inArchiveOrder } from '../../raster-source/archive-order.ts';
import {
  keyOf,
  layersOf,
  unitOf,
  type PyramidShape,
  type ZoomLayer,
} from '../../raster-source/zoom-layers.ts';
import type { Pyramid } from '../pyramid/build-pyramid.ts';
import { hasData } from '../pyramid/pyramid-unit.ts';
import type { TileSet } from '../pyramid/tile-set.ts';
import type { TileOrder, UnitRanges } from '../tasks.ts';

/** Which tiles to make, and of what. */
export interface TilePlan {
  readonly shape: PyramidShape;
  readonly pyramid: Pyramid;
  readonly tileSet: TileSet;
  readonly metadataOf: (place: BlockPlace) => object | undefined;
  /** Blocks around a tile amid the data whose cells it shows, too. */
  readonly margin: 0 | 1;
  readonly hasWater: boolean;
}

/** A unit that has tiles. */
export interface TileUnit {
  readonly unit: BlockPlace;
  readonly layer: ZoomLayer;
}

/** Layer by layer from the base to the top, in the order of the archive. */
export function tileUnitsOf({ shape, tileSet }: TilePlan): TileUnit[] {
  return layersOf(shape).flatMap((layer) => {
    const units = new Map<string, BlockPlace>();
    for (let z = layer.rootZoom; z <= layer.bottomZoom; z++) {
      const scale = 2 ** (z - layer.rootZoom);
      for (const [y, runs] of tileSet.zooms[z] ?? []) {
        for (const [from, to] of runs) {
          for (let x = Math.floor(from / scale); x <= Math.floor(to / scale); x++) {
            const unit = { z: layer.rootZoom, x, y: Math.floor(y / scale) };
            units.set(keyOf(unit), unit);
          }
        }
      }
    }
    return inArchiveOrder([...units.values()], shape.grid, (unit) => unit).map((unit) => ({ unit, layer }));
  });
}

/** The tiles of a unit in the order of the archive. */
export function ordersOf({ shape, tileSet, metadataOf }: TilePlan, { unit, layer }: TileUnit): TileOrder[] {
  const tiles: TileOrder[] = [];
  for (let z = layer.rootZoom; z <= layer.bottomZoom; z++) {
    const scale = 2 ** (z - layer.rootZoom);
    const places: BlockPlace[] = [];
    for (let y = unit.y * scale; y < (unit.y + 1) * scale; y++)
      for (const [from, to] of tileSet.zooms[z]?.get(y) ?? [])
        for (let x = Math.max(from, unit.x * scale); x <= Math.min(to, (unit.x + 1) * scale - 1); x++)
          places.push({ z, x, y });
    const archiveZoom = archiveZoomOf(shape.grid, z);
    const keyed = places.map((place) => ({ place, id: tileIdOf(archiveZoom, place.x, place.y) }));
    for (const { place } of keyed.toSorted((a, b) => a.id - b.id)) {
      const metadata = metadataOf(place);
      tiles.push({ place, ...(metadata !== undefined && { metadata }) });
    }
  }
  return tiles;
}

/**
 * Units of its own layer that a tile may depend on: its window reaches into the block beside it, whose holes are filled from the
 * block beside that one.
 */
export const reach = 2;
/** The same of the layers above, from which holes are filled, too. */
const reachAbove = 4;

/** The keys of units around a unit, row by row, but for those beyond the poles. Columns go around the Earth. */
export function keysAround({ z, x, y }: BlockPlace, distance: number, { grid }: PyramidShape): string[] {
  const [columns, rows] = blockCounts(grid, z);
  const keys: string[] = [];
  for (let row = Math.max(0, y - distance); row <= Math.min(rows - 1, y + distance); row++)
    for (let column = x - distance; column <= x + distance; column++)
      keys.push(keyOf({ z, x: ((column % columns) + columns) % columns, y: row }));
  return keys;
}

/** Where the cells are that tiles of a unit may depend on. @param keys of units of its layer */
export function rangesAround(plan: TilePlan, one: TileUnit, keys: readonly string[]): UnitRanges {
  return [...rangesOf(plan, keys), ...rangesAbove(plan, one)];
}

/** Where the cells of the layers above are that holes of a unit may be filled from. */
export function rangesAbove(plan: TilePlan, { unit, layer: own }: TileUnit): UnitRanges {
  let place = unit;
  return layersOf(plan.shape).flatMap((layer) => {
    if (layer.rootZoom >= own.rootZoom) return [];
    const up = place.z - layer.bottomZoom;
    place = unitOf({ z: layer.bottomZoom, x: place.x >> up, y: place.y >> up }, layer);
    return rangesOf(plan, keysAround(place, reachAbove, plan.shape));
  });
}

function rangesOf({ pyramid }: TilePlan, keys: readonly string[]): UnitRanges {
  return keys.flatMap((key): UnitRanges => {
    const unit = pyramid.units.get(key);
    if (unit === undefined) return [];
    if (unit.range === undefined && hasData(unit)) throw new Error(`unit ${key} has not been read`);
    return unit.range ? [[key, unit.range]] : [];
  });
}
