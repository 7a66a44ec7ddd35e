import { transformPosition } from '@platen/geo/geodesy/matrix';
import { createDracoReader, decodedAccessors } from './draco/draco-meshes.ts';
import type { Gltf, GltfBufferView } from './gltf.ts';
import type { PlacedPrimitive } from './place-nodes.ts';
import { readAccessor, type AccessorReading, type ReadBuffer, type UnpackView } from './read-accessor.ts';
import { endRing, endSurface, isFull, pushVertex, type SurfaceBuffer } from './surface-buffer.ts';

export interface SampleOptions {
  readonly read: ReadBuffer;
  readonly unpack: UnpackView;
  readonly isOver: () => boolean;
}

const maxBytes = 32 << 20;
/** A second of decoding. */
const maxPackedFaces = 2_000_000;
/** Unpacked views in memory: parts that follow each other mostly share one. */
const maxViews = 4;
/** Each costs two reads: of more a part has to do. */
const maxPrimitives = 4000;

/** Takes triangles into a sample, z upwards. */
export async function sampleTriangles(
  gltf: Gltf,
  primitives: readonly PlacedPrimitive[],
  surfaces: SurfaceBuffer,
  { read, unpack, isOver }: SampleOptions,
): Promise<void> {
  const readDraco = createDracoReader(gltf, read, { maxFaces: maxPackedFaces, maxBytes });
  const unpacked = new Map<GltfBufferView, Uint8Array | undefined>();
  const accessors: AccessorReading = { read, maxBytes, unpack, unpacked };
  const step = Math.max(1, Math.ceil(primitives.length / maxPrimitives));
  for (let one = 0; one < primitives.length; one += step) {
    const { primitive, matrix } = primitives[one]!;
    if (isFull(surfaces) || isOver()) return;
    if (primitive.mode !== 4 || primitive.position === undefined) continue;
    if (unpacked.size > maxViews) unpacked.clear();
    const packed = primitive.draco && (await readDraco(primitive.draco));
    const decoded = packed && decodedAccessors(primitive, packed);
    const reading = decoded === undefined ? accessors : { ...accessors, decoded };
    const positions = await readAccessor(gltf, primitive.position, 3, reading);
    if (positions === undefined) continue;
    const indices =
      packed?.indices ??
      (primitive.indices === undefined
        ? undefined
        : await readAccessor(gltf, primitive.indices, 1, accessors));
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
