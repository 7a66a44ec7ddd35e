import { LRUCache } from 'lru-cache';
import { cellsPerTile, tileDegrees, type TilePlace } from '@platen/geo/terrain/tile-grid';
import { heightInGrid } from '@platen/geo/terrain/mesh-grid';
import { keyOf } from '../raster-source/zoom-layers.ts';
import type { TerrainReader, TerrainSource } from './open-terrain.ts';

/** Metres above the ellipsoid. */
export type HeightAt = (lon: number, lat: number) => number;

interface SourceTile {
  readonly place: TilePlace;
  readonly grid: Float32Array;
}

/** Tiles in memory, 17 kB each. */
const maxTiles = 512;

/**
 * The heights of terrain, for one tile of the grid and those around it: of its tiles of the same zoom, or of the highest
 * zoom above that it has there.
 * @param beyond the height where it has none
 */
export function createTerrainSurface(
  reader: TerrainReader,
  { maxZoom }: Pick<TerrainSource, 'maxZoom'>,
  beyond: HeightAt,
): (place: TilePlace) => Promise<HeightAt> {
  const known = new LRUCache<string, { readonly tile: SourceTile | undefined }>({ max: maxTiles });
  const tileAt = async (place: TilePlace): Promise<SourceTile | undefined> => {
    const key = keyOf(place);
    const cached = known.get(key);
    if (cached) return cached.tile;
    const grid = place.z > maxZoom ? undefined : await reader.read(place);
    const { z, x, y } = place;
    const above = z > 0 && !grid ? await tileAt({ z: z - 1, x: x >> 1, y: y >> 1 }) : undefined;
    const tile = grid ? { place, grid } : above;
    known.set(key, { tile });
    return tile;
  };
  return async ({ z, x, y }) => {
    const columns = 2 ** (z + 1);
    const tiles = new Map<string, SourceTile>();
    for (let row = Math.max(0, y - 1); row <= Math.min(2 ** z - 1, y + 1); row++) {
      for (let i = x - 1; i <= x + 1; i++) {
        const place = { z, x: (i + columns) % columns, y: row };
        const tile = await tileAt(place);
        if (tile) tiles.set(keyOf(place), tile);
      }
    }
    const degrees = tileDegrees(z);
    return (lon, lat) => {
      const east = (((lon + 180) % 360) + 360) % 360;
      const south = Math.min(180, Math.max(0, 90 - lat));
      const row = Math.min(2 ** z - 1, Math.floor(south / degrees));
      const tile = tiles.get(keyOf({ z, x: Math.floor(east / degrees) % columns, y: row }));
      const height = tile ? heightIn(tile, east, south) : NaN;
      return height === height ? height : beyond(lon, lat);
    };
  };
}

/** @param east, south degrees from the antimeridian and from the north pole */
function heightIn({ place, grid }: SourceTile, east: number, south: number): number {
  const cells = cellsPerTile / tileDegrees(place.z);
  return heightInGrid(grid, east * cells - place.x * cellsPerTile, south * cells - place.y * cellsPerTile);
}
