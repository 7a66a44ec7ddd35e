import { tileDegrees } from '@platen/geo/terrain/tile-grid';
import type { PlacedTerrain } from '../../terrain-source/find-terrain.ts';
import { openTerrain } from '../../terrain-source/open-terrain.ts';
import { tileAt } from '../../terrain-source/terrain-heights.ts';
import { createTerrainSurface, type HeightAt } from '../../terrain-source/terrain-surface.ts';
import { withChanges, type Shape } from '../shape/shape.ts';

/** Moves shapes up or down. */
export interface Ground {
  /**
   * Puts the lowest point of shapes that belong together onto the terrain beneath it.
   * @returns undefined where there is no terrain
   */
  readonly stand: (shapes: readonly Shape[]) => Promise<Shape[] | undefined>;
  readonly close: () => Promise<void>;
}

const everywhere = [-180, -90, 180, 90] as const;

/** Places along each side of what a shape covers at which the terrain is looked at. */
const samples = 3;

/** @param offset added to the heights of the terrain, in metres @throws ArchiveError, JobFailure where a tile is damaged */
export async function openGround(
  { source, bounds = everywhere }: PlacedTerrain,
  offset: number,
): Promise<Ground> {
  const reader = await openTerrain(source);
  const surfaceAt = createTerrainSurface(reader, source, () => NaN);
  return {
    async stand(shapes) {
      const lowest = shapes.reduce((low, shape) => (shape.region[4] < low.region[4] ? shape : low));
      const { lon, lat } = lowest.place;
      const z = zoomFor(lowest, source.maxZoom);
      // tiles of low zooms reach further than the data
      if (lon < bounds[0] || lat < bounds[1] || lon > bounds[2] || lat > bounds[3]) return undefined;
      const height = lowestBeneath(lowest, await surfaceAt(tileAt(lon, lat, z)));
      if (height === Infinity) return undefined;
      const rise = height + offset - lowest.region[4];
      return shapes.map((shape) => raise(shape, rise));
    },
    close: () => reader.close(),
  };
}

/** The highest zoom whose tiles are as large as a shape: a surface is known in a tile and those around it. */
function zoomFor({ region: [west, south, east, north] }: Shape, maxZoom: number): number {
  let z = maxZoom;
  while (z > 0 && tileDegrees(z) < Math.max(east - west, north - south)) z--;
  return z;
}

/** On a slope a house stands on the lowest ground beneath it, so that no corner hangs in the air. Infinity without terrain. */
function lowestBeneath({ region: [west, south, east, north] }: Shape, heightAt: HeightAt): number {
  let lowest = Infinity;
  for (let row = 0; row < samples; row++)
    for (let column = 0; column < samples; column++) {
      const lon = west + ((east - west) * column) / (samples - 1);
      const lat = south + ((north - south) * row) / (samples - 1);
      const height = heightAt(lon, lat);
      if (height < lowest) lowest = height; // NaN where there is none
    }
  return lowest;
}

function raise(shape: Shape, rise: number): Shape {
  const { place, region } = shape;
  const [west, south, east, north, low, high] = region;
  return withChanges(shape, {
    place: { ...place, height: place.height + rise },
    region: [west, south, east, north, low + rise, high + rise],
  });
}
