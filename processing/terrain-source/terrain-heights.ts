import { tileDegrees, type TilePlace } from '@platen/geo/terrain/tile-grid';
import { JobFailure } from '../job-type.ts';
import { keyOf } from '../raster-source/zoom-layers.ts';
import type { PlacedTerrain } from './find-terrain.ts';
import { openTerrain, type TerrainReader } from './open-terrain.ts';
import { createTerrainSurface } from './terrain-surface.ts';

/** Tiles that are read: finer ones would be many for a large area. */
const maxTiles = 256;

/**
 * The heights of terrain above the ellipsoid, in metres; NaN where it has none.
 * @param places longitude and latitude of each, in degrees; longitudes may be beyond ±180
 * @param onDamaged takes why a tile cannot be read, instead of which the one above it counts; undefined: that is thrown
 * @throws ArchiveError, JobFailure
 */
export async function terrainHeights(
  { source, bounds: [west, south, east, north] = [-180, -90, 180, 90] }: PlacedTerrain,
  places: Float64Array,
  onDamaged?: (failure: JobFailure) => void,
): Promise<Float64Array> {
  const heights = new Float64Array(places.length / 2).fill(NaN);
  const wrapped = places.map((degrees, i) =>
    i % 2 === 0 ? degrees - 360 * Math.round(degrees / 360) : degrees,
  );
  const inside = (i: number): boolean => {
    const [lon, lat] = [wrapped[i * 2]!, wrapped[i * 2 + 1]!];
    // tiles of low zooms reach further than the data
    return lon >= west && lon <= east && lat >= south && lat <= north;
  };
  const byTile = tilesOf(wrapped, heights.keys().filter(inside).toArray(), source.maxZoom);
  const reader = await openTerrain(source);
  try {
    const tiles = onDamaged ? withoutDamaged(reader, onDamaged) : reader;
    const surfaceAt = createTerrainSurface(tiles, source, () => NaN);
    for (const { place, numbers } of byTile.values()) {
      const heightAt = await surfaceAt(place);
      for (const i of numbers) heights[i] = heightAt(wrapped[i * 2]!, wrapped[i * 2 + 1]!);
    }
  } finally {
    await reader.close();
  }
  return heights;
}

/** Terrain that has no tile where one is damaged. */
function withoutDamaged(reader: TerrainReader, onDamaged: (failure: JobFailure) => void): TerrainReader {
  return {
    ...reader,
    async read(place) {
      try {
        return await reader.read(place);
      } catch (error) {
        if (!(error instanceof JobFailure)) throw error;
        onDamaged(error);
        return undefined;
      }
    },
  };
}

interface PlacesOfTile {
  readonly place: TilePlace;
  readonly numbers: number[];
}

/** The numbers of places by the tiles in which they lie, at the finest zoom at which these are not too many. */
function tilesOf(
  places: Float64Array,
  numbers: readonly number[],
  maxZoom: number,
): ReadonlyMap<string, PlacesOfTile> {
  for (let z = maxZoom; ; z--) {
    const byTile = new Map<string, PlacesOfTile>();
    for (const i of numbers) {
      const place = tileAt(places[i * 2]!, places[i * 2 + 1]!, z);
      const key = keyOf(place);
      const tile = byTile.get(key);
      if (tile) tile.numbers.push(i);
      else byTile.set(key, { place, numbers: [i] });
      if (z > 0 && byTile.size > maxTiles) break;
    }
    if (z === 0 || byTile.size <= maxTiles) return byTile;
  }
}

/** The tile of a zoom in which a place lies. */
export function tileAt(lon: number, lat: number, z: number): TilePlace {
  const x = Math.min(2 ** (z + 1) - 1, Math.floor((lon + 180) / tileDegrees(z)));
  const y = Math.min(2 ** z - 1, Math.floor((90 - lat) / tileDegrees(z)));
  return { z, x, y };
}
