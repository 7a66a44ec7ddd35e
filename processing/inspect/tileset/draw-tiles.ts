import { BytesError } from '@platen/formats/bytes/bytes';
import { openGltf } from '@platen/formats/mesh/open-gltf';
import { placeNodes } from '@platen/formats/mesh/place-nodes';
import { sampleTriangles } from '@platen/formats/mesh/sample-triangles';
import { createSurfaceBuffer, type SurfaceBuffer } from '@platen/formats/mesh/surface-buffer';
import { readyToUnpack, unpackMeshopt } from '@platen/formats/mesh/unpack-meshopt';
import type { Tileset } from '@platen/formats/tiles-3d/tileset';
import type { TileWalk } from '@platen/formats/tiles-3d/walk-tiles';
import { geodeticOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { transformPosition } from '@platen/geo/geodesy/matrix';
import { drawSurfaces } from '../picture/draw-surfaces.ts';
import type { OpenedContent, ContentSample } from './sample-contents.ts';

const maxPositions = 600_000;

interface Drawing {
  readonly tileset: Tileset;
  readonly walk: TileWalk;
  readonly isOver: () => boolean;
}

/** The coarsest tiles that have meshes; where they add to each other, also finer ones. */
export async function drawTiles(
  { opened }: ContentSample,
  { tileset, walk, isOver }: Drawing,
): Promise<string | undefined> {
  const surfaces = createSurfaceBuffer(maxPositions);
  let coarsest: number | undefined;
  for (const one of opened) {
    const { level } = one.sampled;
    if (isOver()) break;
    if (coarsest !== undefined && level > coarsest && !walk.refinements.has('ADD')) continue;
    const before = surfaces.positionCount;
    await takeTile(one, { surfaces, isZUp: tileset.gltfUpAxis === 'Z', isOver });
    if (surfaces.positionCount > before) coarsest ??= level;
  }
  standUpright(surfaces);
  return drawSurfaces(surfaces);
}

interface Taking {
  readonly surfaces: SurfaceBuffer;
  readonly isZUp: boolean;
  readonly isOver: () => boolean;
}

async function takeTile(
  { sampled, bytes, content }: OpenedContent,
  { surfaces, isZUp, isOver }: Taking,
): Promise<void> {
  if (content.gltfOffset === undefined || content.type === 'i3dm') return;
  try {
    const { gltf, read } = await openGltf(bytes, async () => undefined, content.gltfOffset);
    const start = surfaces.positionCount * 3;
    await readyToUnpack();
    await sampleTriangles(gltf, placeNodes(gltf).primitives, surfaces, {
      read,
      unpack: unpackMeshopt,
      isOver,
    });
    const [cx = 0, cy = 0, cz = 0] = content.center ?? gltf.center ?? [];
    const { coordinates } = surfaces;
    for (let at = start; at < surfaces.positionCount * 3; at += 3) {
      const [x, y, z] = [coordinates[at]!, coordinates[at + 1]!, coordinates[at + 2]!];
      const own: Vector = isZUp ? [x + cx, z + cy, -y + cz] : [x + cx, y + cy, z + cz];
      coordinates.set(transformPosition(sampled.matrix, own), at);
    }
  } catch (error) {
    // reported by the inspection of the contents
    if (!(error instanceof BytesError)) throw error;
  }
}

/** Geocentric positions as east, north and up about one of them; others stay. */
function standUpright({ coordinates, positionCount }: SurfaceBuffer): void {
  if (positionCount === 0) return;
  const at = (positionCount >> 1) * 3;
  const origin: Vector = [coordinates[at]!, coordinates[at + 1]!, coordinates[at + 2]!];
  const [lon, lat, height] = geodeticOf(origin);
  if (!(Math.abs(height) < 200e3)) return;
  const [l, p] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  const [sinL, cosL, sinP, cosP] = [Math.sin(l), Math.cos(l), Math.sin(p), Math.cos(p)];
  for (let i = 0; i < positionCount * 3; i += 3) {
    const [dx, dy, dz] = [0, 1, 2].map((axis) => coordinates[i + axis]! - origin[axis]!) as [
      number,
      number,
      number,
    ];
    coordinates[i] = -sinL * dx + cosL * dy;
    coordinates[i + 1] = -sinP * cosL * dx - sinP * sinL * dy + cosP * dz;
    coordinates[i + 2] = cosP * cosL * dx + cosP * sinL * dy + sinP * dz;
  }
}
