import { transformPosition } from '@platen/geo/geodesy/matrix';
import type { Gltf } from './gltf.ts';
import type { PlacedPrimitive } from './place-nodes.ts';
import { readAccessor, type ReadBuffer } from './read-accessor.ts';
import { endRing, endSurface, isFull, pushVertex, type SurfaceBuffer } from './surface-buffer.ts';

export interface SampleOptions {
  readonly read: ReadBuffer;
  readonly isOver: () => boolean;
}

const maxBytes = 32 << 20;
/** Each costs two reads: of more a part has to do. */
const maxPrimitives = 4000;

/** Takes triangles that need no decoder into a sample, z upwards. */
export async function sampleTriangles(
  gltf: Gltf,
  primitives: readonly PlacedPrimitive[],
  surfaces: SurfaceBuffer,
  { read, isOver }: SampleOptions,
): Promise<void> {
  const step = Math.max(1, Math.ceil(primitives.length / maxPrimitives));
  for (let one = 0; one < primitives.length; one += step) {
    const { primitive, matrix } = primitives[one]!;
    if (isFull(surfaces) || isOver()) return;
    if (primitive.draco !== undefined || primitive.mode !== 4 || primitive.position === undefined) continue;
    const positions = await readAccessor(gltf, primitive.position, 3, { read, maxBytes });
    if (positions === undefined) continue;
    const indices =
      primitive.indices === undefined
        ? undefined
        : await readAccessor(gltf, primitive.indices, 1, { read, maxBytes });
    if (primitive.indices !== undefined && indices === undefined) continue;
    const total = positions.length / 3;
    const corners = indices?.length ?? total;
    for (let i = 0; i + 2 < corners && !isFull(surfaces); i += 3) {
      for (let corner = i; corner < i + 3; corner++) {
        const at = (indices?.[corner] ?? corner) * 3;
        if (at + 2 >= positions.length) continue;
        const vector = [positions[at]!, positions[at + 1]!, positions[at + 2]!] as const;
        const [x, y, z] = transformPosition(matrix, vector);
        pushVertex(surfaces, x, -z, y);
      }
      endRing(surfaces);
      endSurface(surfaces);
    }
  }
}
