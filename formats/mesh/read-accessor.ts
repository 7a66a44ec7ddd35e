import type { DecodedValues } from './draco/decode-draco.ts';
import type { Gltf, GltfAccessor, GltfBufferView, SparseValues } from './gltf.ts';

/** Bytes of a buffer; undefined where they are not there. */
export type ReadBuffer = (buffer: number, offset: number, length: number) => Promise<Uint8Array | undefined>;

/** Unpacks EXT_meshopt_compression into `target`. @throws whatever it does if the bytes are damaged */
export type UnpackView = (
  target: Uint8Array,
  packed: {
    readonly count: number;
    readonly byteStride: number;
    readonly mode: string;
    readonly filter?: string;
  },
  source: Uint8Array,
) => void;

export interface AccessorReading {
  readonly read: ReadBuffer;
  readonly maxBytes: number;
  /** Without it, packed accessors are not read. */
  readonly unpack?: UnpackView | undefined;
  /** Unpacked views, which several accessors may share. */
  readonly unpacked?: Map<GltfBufferView, Uint8Array | undefined>;
  /** Values of accessors that were packed by Draco, by the numbers of these. */
  readonly decoded?: ReadonlyMap<number, DecodedValues>;
}

type Get = (view: DataView, at: number) => number;

const components: Readonly<
  Record<
    number,
    { readonly array: Function; readonly bytes: number; readonly max: number; readonly get: Get }
  >
> = {
  5120: { array: Int8Array, bytes: 1, max: 127, get: (view, at) => view.getInt8(at) },
  5121: { array: Uint8Array, bytes: 1, max: 255, get: (view, at) => view.getUint8(at) },
  5122: { array: Int16Array, bytes: 2, max: 32_767, get: (view, at) => view.getInt16(at, true) },
  5123: { array: Uint16Array, bytes: 2, max: 65_535, get: (view, at) => view.getUint16(at, true) },
  5125: { array: Uint32Array, bytes: 4, max: 1, get: (view, at) => view.getUint32(at, true) },
  5126: { array: Float32Array, bytes: 4, max: 1, get: (view, at) => view.getFloat32(at, true) },
};

/** What stands for 1 where the numbers of an array are normalised. */
const normalizedMax = new Map(Object.values(components).map(({ array, max }) => [array, max]));

/** The numbers of an accessor (glTF 2.0, 3.6.2). Undefined if they are not there, too many, or packed otherwise. */
export async function readAccessor(
  gltf: Gltf,
  number: number,
  width: number,
  reading: AccessorReading,
): Promise<Float64Array | undefined> {
  const accessor = gltf.accessors[number];
  if (accessor === undefined) return undefined;
  const decoded = reading.decoded?.get(number);
  if (decoded !== undefined)
    return decoded.width === width ? numbersOf(decoded, accessor.isNormalised) : undefined;
  return accessor.sparse === undefined
    ? readElements(gltf, accessor, width, reading)
    : readSparse(gltf, accessor, width, { ...reading, sparse: accessor.sparse });
}

function numbersOf({ values }: DecodedValues, isNormalised: boolean): Float64Array {
  const max = isNormalised ? normalizedMax.get(values.constructor) : undefined;
  const numbers = Float64Array.from(values);
  if (max !== undefined) for (let i = 0; i < numbers.length; i++) numbers[i]! /= max;
  return numbers;
}

async function readSparse(
  gltf: Gltf,
  accessor: GltfAccessor,
  width: number,
  reading: AccessorReading & { readonly sparse: SparseValues },
): Promise<Float64Array | undefined> {
  const { count: replaced, indices, values } = reading.sparse;
  const { count, bufferView } = accessor;
  const isLikely = count <= replaced * maxRatio + minBytes && count * width * 4 <= reading.maxBytes;
  if (bufferView === undefined && !isLikely) return undefined;
  const places = await readElements(gltf, { ...indices, count: replaced, isNormalised: false }, 1, reading);
  const others = await readElements(gltf, { ...accessor, ...values, count: replaced }, width, reading);
  if (places === undefined || others === undefined) return undefined;
  // only now, as a count that lies would ask for any memory
  const all =
    bufferView === undefined
      ? new Float64Array(count * width)
      : await readElements(gltf, accessor, width, reading);
  if (all === undefined) return undefined;
  for (const [i, place] of places.entries()) {
    if (place >= count) return undefined;
    for (let axis = 0; axis < width; axis++) all[place * width + axis] = others[i * width + axis]!;
  }
  return all;
}

type Elements = Pick<GltfAccessor, 'bufferView' | 'byteOffset' | 'componentType' | 'count' | 'isNormalised'>;

async function readElements(
  gltf: Gltf,
  accessor: Elements,
  width: number,
  reading: AccessorReading,
): Promise<Float64Array | undefined> {
  const view = accessor.bufferView === undefined ? undefined : gltf.bufferViews[accessor.bufferView];
  const component = components[accessor.componentType];
  if (view === undefined || component === undefined) return undefined;
  const stride = view.packed?.byteStride ?? view.byteStride ?? component.bytes * width;
  if (stride < component.bytes * width) return undefined;
  const needed = accessor.count === 0 ? 0 : (accessor.count - 1) * stride + component.bytes * width;
  if (needed > reading.maxBytes || accessor.byteOffset + needed > view.byteLength) return undefined;
  const bytes = view.isCompressed
    ? (await unpackedBytes(view, reading))?.subarray(accessor.byteOffset, accessor.byteOffset + needed)
    : await reading.read(view.buffer, view.byteOffset + accessor.byteOffset, needed);
  if (bytes === undefined || bytes.length < needed) return undefined;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(accessor.count * width);
  const divisor = accessor.isNormalised ? component.max : 1;
  for (let i = 0; i < accessor.count; i++)
    for (let axis = 0; axis < width; axis++)
      values[i * width + axis] = component.get(data, i * stride + axis * component.bytes) / divisor;
  return values;
}

/** A file that claims more than so many times what it holds is damaged. */
const maxRatio = 1000;
const minBytes = 1 << 20;

/** The bytes of a packed view. */
export async function unpackedBytes(
  view: GltfBufferView,
  { read, maxBytes, unpack, unpacked }: AccessorReading,
): Promise<Uint8Array | undefined> {
  const { packed } = view;
  if (packed === undefined || unpack === undefined) return undefined;
  if (unpacked?.has(view) === true) return unpacked.get(view);
  const { buffer, byteOffset, byteLength, count, byteStride, mode, filter } = packed;
  const size = count * byteStride;
  let result: Uint8Array | undefined;
  const isLikely = size <= byteLength * maxRatio + minBytes;
  if (isLikely && size <= maxBytes && size === view.byteLength && byteLength <= maxBytes) {
    const source = await read(buffer, byteOffset, byteLength);
    if (source !== undefined && source.length === byteLength) {
      result = new Uint8Array(size);
      try {
        unpack(result, { count, byteStride, mode, ...(filter !== undefined && { filter }) }, source);
      } catch {
        // damaged: the caller reports what it cannot read
        result = undefined;
      }
    }
  }
  unpacked?.set(view, result);
  return result;
}
