import { BytesError } from '@platen/formats/bytes/bytes';
import type { Crs } from '@platen/formats/crs/find-crs';
import type { SceneNode } from '@platen/formats/i3s/node-page';
import { readResource } from '@platen/formats/i3s/scene-files';
import {
  createSurfaceBuffer,
  endRing,
  endSurface,
  isFull,
  pushVertex,
} from '@platen/formats/mesh/surface-buffer';
import { drawSurfaces } from '../picture/draw-surfaces.ts';
import type { NodeCounts } from './count-nodes.ts';
import type { SceneLayerFiles } from './scene-layer-files.ts';

const maxPositions = 600_000;
const maxGeometryBytes = 64 << 20;
const metresPerDegree = 111_320;

interface Drawing {
  readonly counts: NodeCounts;
  readonly crs: Crs | undefined;
  readonly isOver: () => boolean;
}

/** Draws the leaves among the first nodes: those of a mesh are all next to each other. */
export async function drawNodes(
  { layer, find }: SceneLayerFiles,
  { counts, crs, isOver }: Drawing,
): Promise<string | undefined> {
  const { geometryOffset } = layer;
  if (geometryOffset === undefined || crs === undefined) return undefined;
  const surfaces = createSurfaceBuffer(maxPositions);
  const folder = layer.sublayers.length > 0 ? `sublayers/${layer.sublayers[0]!.id}/` : '';
  const leaves = counts.drawn.filter(({ childCount }) => childCount === 0);
  for (const node of leaves.length > 0 ? leaves : counts.drawn) {
    if (isFull(surfaces) || isOver()) break;
    try {
      const path = `${folder}nodes/${node.geometryResource}/geometries/0`;
      const geometry = await readResource(find, path, maxGeometryBytes);
      if (geometry !== undefined) takeNode(node, geometry, { surfaces, geometryOffset });
    } catch (error) {
      if (!(error instanceof BytesError)) throw error;
    }
  }
  const lat = surfaces.coordinates[1] ?? 0;
  const isGeographic = crs.kind === 'lonLat' || crs.kind === 'geographic';
  return drawSurfaces(surfaces, {
    ...(isGeographic && {
      unitX: metresPerDegree * Math.cos((lat * Math.PI) / 180),
      unitY: metresPerDegree,
    }),
  });
}

interface Taking {
  readonly surfaces: ReturnType<typeof createSurfaceBuffer>;
  readonly geometryOffset: number;
}

/** Positions count from the middle of the node, three to a triangle. */
function takeNode(
  { center, vertexCount }: SceneNode,
  geometry: Uint8Array,
  { surfaces, geometryOffset }: Taking,
): void {
  if (center === undefined) return;
  const data = new DataView(geometry.buffer, geometry.byteOffset, geometry.byteLength);
  const there = Math.floor((geometry.length - geometryOffset) / 12);
  const total = Math.min(vertexCount, there);
  for (let i = 0; i + 2 < total && !isFull(surfaces); i += 3) {
    for (let corner = i; corner < i + 3; corner++) {
      const at = geometryOffset + corner * 12;
      pushVertex(
        surfaces,
        center[0]! + data.getFloat32(at, true),
        center[1]! + data.getFloat32(at + 4, true),
        center[2]! + data.getFloat32(at + 8, true),
      );
    }
    endRing(surfaces);
    endSurface(surfaces);
  }
}
