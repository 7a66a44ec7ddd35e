import { tileDegrees, type TilePlace } from '@platen/geo/terrain/tile-grid';
import { keyOf } from '../raster-source/zoom-layers.ts';
import type { PlacedTerrain } from './find-terrain.ts';
import { openTerrain } from './open-terrain.ts';
import { createTerrainSurface } from './terrain-surface.ts';

/** Tiles along the longer side of what all places cover: finer ones would be many for a large area. */
const maxTiles = 16;

/**
 * The heights of terrain above the ellipsoid, in metres; NaN where it has none.
 * @param places longitude and latitude of each, in degrees
 * @throws ArchiveError, JobFailure where a tile is damaged
 */
export async function terrainHeights(
  { source, bounds: [west, south, east, north] = [-180, -90, 180, 90] }: PlacedTerrain,
  places: Float64Array,
): Promise<Float64Array> {
  const heights = new Float64Array(places.length / 2).fill(NaN);
  const z = zoomFor(places, source.maxZoom);
  const byTile = new Map<string, { readonly place: TilePlace; readonly numbers: number[] }>();
  for (let i = 0; i < heights.length; i++) {
    const [lon, lat] = [places[i * 2]!, places[i * 2 + 1]!];
    // tiles of low zooms reach further than the data
    if (!(lon >= west && lon <= east && lat >= south && lat <= north)) continue;
    const place = tileAt(lon, lat, z);
    const key = keyOf(place);
    const tile = byTile.get(key);
    if (tile) tile.numbers.push(i);
    else byTile.set(key, { place, numbers: [i] });
  }
  const reader = await openTerrain(source);
  try {
    const surfaceAt = createTerrainSurface(reader, source, () => NaN);
    for (const { place, numbers } of byTile.values()) {
      const heightAt = await surfaceAt(place);
      for (const i of numbers) heights[i] = heightAt(places[i * 2]!, places[i * 2 + 1]!);
    }
  } finally {
    await reader.close();
  }
  return heights;
}

function zoomFor(places: Float64Array, maxZoom: number): number {
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (const [i, degrees] of places.entries()) {
    low[i & 1] = Math.min(low[i & 1]!, degrees);
    high[i & 1] = Math.max(high[i & 1]!, degrees);
  }
  const side = Math.max(high[0]! - low[0]!, high[1]! - low[1]!);
  let z = maxZoom;
  while (z > 0 && tileDegrees(z) * maxTiles < side) z--;
  return z;
}

/** The tile of a zoom in which a place lies. */
export function tileAt(lon: number, lat: number, z: number): TilePlace {
  const x = Math.min(2 ** (z + 1) - 1, Math.floor((lon + 180) / tileDegrees(z)));
  const y = Math.min(2 ** z - 1, Math.floor((90 - lat) / tileDegrees(z)));
  return { z, x, y };
}
