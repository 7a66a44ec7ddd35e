import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { ReadTile } from './testing.ts';

interface GlbJson {
  readonly nodes: readonly { readonly translation: readonly number[]; readonly scale?: readonly number[] }[];
  readonly meshes: readonly {
    readonly primitives: readonly { readonly mode: number; readonly attributes: Record<string, number> }[];
  }[];
  readonly accessors: readonly {
    readonly bufferView: number;
    readonly componentType: number;
    readonly type: string;
  }[];
  readonly bufferViews: readonly {
    readonly extensions: {
      readonly EXT_meshopt_compression: Record<'byteOffset' | 'byteLength' | 'byteStride' | 'count', number>;
    };
  }[];
  readonly extensions?: {
    readonly EXT_structural_metadata: {
      readonly propertyAttributes: readonly {
        readonly properties: Record<string, { readonly attribute: string }>;
      }[];
    };
  };
}

const arrays = { 5121: Uint8Array, 5123: Uint16Array, 5126: Float32Array } as const;

/** A GLB of points as a client of 3D Tiles 1.1 reads it: unpacked, and with z upwards. */
export async function readGlbPoints(
  bytes: Buffer,
): Promise<Pick<ReadTile, 'places' | 'colours' | 'properties'>> {
  await MeshoptDecoder.ready;
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.toString('utf8', 20, 20 + length)) as GlbJson;
  const binary = bytes.subarray(28 + length);
  const read = (number: number): ArrayLike<number> => {
    const { bufferView, componentType, type } = json.accessors[number]!;
    const { byteOffset, byteLength, byteStride, count } =
      json.bufferViews[bufferView]!.extensions.EXT_meshopt_compression;
    const unpacked = new Uint8Array(count * byteStride);
    const source = new Uint8Array(binary.subarray(byteOffset, byteOffset + byteLength));
    MeshoptDecoder.decodeGltfBuffer(unpacked, count, byteStride, source, 'ATTRIBUTES');
    const values = new arrays[componentType as keyof typeof arrays](unpacked.buffer);
    const width = type === 'VEC3' ? 3 : 1;
    const stride = byteStride / values.BYTES_PER_ELEMENT;
    return Array.from(
      { length: count * width },
      (_, i) => values[Math.floor(i / width) * stride + (i % width)]!,
    );
  };
  const [primitive] = json.meshes[0]!.primitives;
  if (primitive!.mode !== 0) throw new Error('it draws no points');
  const { attributes } = primitive!;
  const { translation, scale = [1, 1, 1] } = json.nodes[0]!;
  const upright = read(attributes['POSITION']!);
  const places = new Float64Array(upright.length);
  for (let i = 0; i < upright.length; i += 3) {
    const [x, y, z] = [0, 1, 2].map((axis) => upright[i + axis]! * scale[axis]! + translation[axis]!);
    places.set([x!, -z!, y!], i);
  }
  const colours =
    attributes['COLOR_0'] === undefined
      ? undefined
      : Uint8Array.from(Array.from(read(attributes['COLOR_0']), toSrgb));
  const named = json.extensions?.EXT_structural_metadata.propertyAttributes[0]!.properties ?? {};
  const properties = Object.fromEntries(
    Object.entries(named).map(([name, { attribute }]) => [name, read(attributes[attribute]!)]),
  );
  return { places, colours, properties };
}

function toSrgb(value: number): number {
  const share = value / 65_535;
  return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));
}
