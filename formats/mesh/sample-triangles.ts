import { transformPosition } from '@platen/geo/geodesy/matrix';
import type { Gltf, GltfAccessor } from './gltf.ts';
import type { PlacedPrimitive } from './place-nodes.ts';
import { endRing, endSurface, isFull, pushVertex, type SurfaceBuffer } from './surface-buffer.ts';

/** Bytes of a buffer; undefined where they are not there. */
export type ReadBuffer = (buffer: number, offset: number, length: number) => Promise<Uint8Array | undefined>;

export interface SampleOptions {
  readonly read: ReadBuffer;
  readonly isOver: () => boolean;
}

const maxAccessorBytes = 32 << 20;
/** Each costs two reads: of more a part has to do. */
const maxPrimitives = 4000;
const components: Readonly<Record<number, { readonly bytes: number; readonly max: number }>> = {
  5120: { bytes: 1, max: 127 },
  5121: { bytes: 1, max: 255 },
  5122: { bytes: 2, max: 32767 },
  5123: { bytes: 2, max: 65535 },
  5125: { bytes: 4, max: 1 },
  5126: { bytes: 4, max: 1 },
};

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
    if (primitive.isCompressed || primitive.mode !== 4 || primitive.position === undefined) continue;
    const positions = await readAccessor(gltf, gltf.accessors[primitive.position], 3, read);
    if (positions === undefined) continue;
    const indices =
      primitive.indices === undefined
        ? undefined
        : await readAccessor(gltf, gltf.accessors[primitive.indices], 1, read);
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

async function readAccessor(
  gltf: Gltf,
  accessor: GltfAccessor | undefined,
  width: number,
  read: ReadBuffer,
): Promise<Float64Array | undefined> {
  const view = accessor?.bufferView === undefined ? undefined : gltf.bufferViews[accessor.bufferView];
  const component = accessor && components[accessor.componentType];
  if (accessor === undefined || view === undefined || view.isCompressed || component === undefined)
    return undefined;
  const stride = view.byteStride ?? component.bytes * width;
  if (stride < component.bytes * width) return undefined;
  const needed = accessor.count === 0 ? 0 : (accessor.count - 1) * stride + component.bytes * width;
  if (needed > maxAccessorBytes || accessor.byteOffset + needed > view.byteLength) return undefined;
  const bytes = await read(view.buffer, view.byteOffset + accessor.byteOffset, needed);
  if (bytes === undefined || bytes.length < needed) return undefined;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(accessor.count * width);
  const divisor = accessor.isNormalised ? component.max : 1;
  for (let i = 0; i < accessor.count; i++) {
    for (let axis = 0; axis < width; axis++)
      values[i * width + axis] =
        readComponent(data, i * stride + axis * component.bytes, accessor.componentType) / divisor;
  }
  return values;
}

function readComponent(data: DataView, at: number, componentType: number): number {
  switch (componentType) {
    case 5120:
      return data.getInt8(at);
    case 5121:
      return data.getUint8(at);
    case 5122:
      return data.getInt16(at, true);
    case 5123:
      return data.getUint16(at, true);
    case 5125:
      return data.getUint32(at, true);
    default:
      return data.getFloat32(at, true);
  }
}
