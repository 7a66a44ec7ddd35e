import { interpolate } from '@platen/formats/geoid/geoid-grid';
import { openShippedGrid } from '@platen/formats/geoid/shipped-grid-file';
import { egm96 } from '@platen/formats/geoid/shipped-grids';
import { writeMesh } from '@platen/formats/quantized-mesh/write-mesh';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import { placeMesh } from '@platen/geo/terrain/place-mesh';
import { cellsPerTile, geometricErrorOf } from '@platen/geo/terrain/tile-grid';
import { createTileMesher } from '@platen/geo/terrain/tile-mesher';
import { createVertexSurface, fillVertices, levelOutside } from '@platen/geo/terrain/vertex-heights';
import { encodeNormals } from '@platen/geo/terrain/vertex-normals';
import { gzip } from '../../kit/pack-tile.ts';
import { archiveZoomOf } from '../../raster-source/archive-order.ts';
import { createTerrainSurface, type HeightAt } from '../../terrain-source/terrain-surface.ts';
import { openTerrain, type TerrainSource } from '../../terrain-source/open-terrain.ts';
import type { FinalCells, Outside } from '../pyramid/final-cells.ts';
import type { Settings } from '../settings.ts';
import { waterMaskOf } from '../water/water-mask.ts';
import type { WaterPolygons } from '../water/water-polygons.ts';
import type { MakeTile } from './made-tile.ts';

const geographic = { kind: 'geographic', side: cellsPerTile } as const;

/** Makes tiles of quantized-mesh. */
export function createMeshTileMaker(
  cells: FinalCells,
  settings: Settings,
  { water, base }: { readonly water: WaterPolygons | undefined; readonly base: TerrainSource | undefined },
): MakeTile {
  const surface = createVertexSurface();
  const mesher = createTileMesher();
  let outsideOf: ((place: BlockPlace) => Promise<Outside>) | undefined;
  return async ({ place, metadata }) => {
    const { z, x, y } = place;
    outsideOf ??= await openOutside(settings, base);
    const measured = cells.filled(place, 1);
    fillVertices(cells.blended(measured, place, 1, await outsideOf(place)), surface);
    if (settings.normals && !base) levelOutside(measured, surface);
    const mesh = mesher(place, surface.heights, geometricErrorOf(z) * settings.errorShare);
    const bytes = writeMesh({
      ...placeMesh(place, mesh),
      ...(settings.normals && { normals: encodeNormals(place, mesh.vertices, surface) }),
      ...(water !== undefined && { waterMask: waterMaskOf(place, water) }),
      ...(metadata !== undefined && { metadata }),
    });
    const packed = { bytes: gzip(bytes), hashA: 0, hashB: 0 };
    const archiveZoom = archiveZoomOf(geographic, z);
    return { z: archiveZoom, tileId: tileIdOf(archiveZoom, x, y), packed };
  };
}

async function openOutside(
  { outside, blend }: Settings,
  base: TerrainSource | undefined,
): Promise<(place: BlockPlace) => Promise<Outside>> {
  const sea = await openShippedGrid(egm96);
  const heightAt: HeightAt =
    outside === 'ellipsoid' ? () => 0 : (lon, lat) => interpolate(sea, lon, Math.max(-90, Math.min(90, lat)));
  if (!base) return async () => ({ blend, heightAt });
  const surface = createTerrainSurface(await openTerrain(base), base, heightAt);
  return async (place) => ({ blend, heightAt: await surface(place) });
}
