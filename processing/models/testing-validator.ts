import { createGlbBuffer, writeGlb } from '@platen/formats/gltf/write-glb';
import { validateBytes } from 'gltf-validator';
import { MeshoptDecoder } from 'meshoptimizer/decoder';

interface Packed {
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly byteStride: number;
  readonly count: number;
  readonly mode: string;
  readonly filter?: string;
}
interface View {
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly byteStride?: number;
  readonly target?: number;
  readonly extensions?: { readonly EXT_meshopt_compression?: Packed };
}
interface Json extends Record<string, unknown> {
  readonly bufferViews: readonly View[];
  readonly extensionsUsed?: readonly string[];
  readonly extensionsRequired?: readonly string[];
}

/** Extensions that the validator does not know are ignored by it, and so are views and images that only these name. */
const ignoredIssues = ['UNSUPPORTED_EXTENSION', 'UNUSED_OBJECT', 'IMAGE_UNRECOGNIZED_FORMAT'];

/**
 * What the validator of Khronos says of a GLB, as texts; none if it is valid. It knows no meshopt, so it gets a copy with
 * unpacked views.
 */
export async function problemsOf(glb: Uint8Array): Promise<string[]> {
  const { issues } = await validateBytes(await unpackedCopy(glb), { maxIssues: 0, ignoredIssues });
  return issues.messages
    .filter(({ severity }) => severity <= 1)
    .map(({ code, message, pointer = '' }) => `${code} ${pointer}: ${message}`);
}

async function unpackedCopy(glb: Uint8Array): Promise<Uint8Array> {
  await MeshoptDecoder.ready;
  const bytes = Buffer.from(glb);
  const jsonLength = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.toString('utf8', 20, 20 + jsonLength)) as Json;
  const binary = bytes.subarray(28 + jsonLength);
  const buffer = createGlbBuffer();
  for (const view of json.bufferViews) {
    const packed = view.extensions?.EXT_meshopt_compression;
    const { byteOffset = 0, byteLength } = packed ?? view;
    const stored = binary.subarray(byteOffset, byteOffset + byteLength);
    const { byteStride, target } = view;
    buffer.addView(packed === undefined ? stored : unpack(stored, packed), { byteStride, target });
  }
  const others = (key: 'extensionsUsed' | 'extensionsRequired'): object => {
    const names = json[key]?.filter((name) => name !== 'EXT_meshopt_compression') ?? [];
    return { [key]: names.length === 0 ? undefined : names };
  };
  return writeGlb(
    {
      ...json,
      ...others('extensionsUsed'),
      ...others('extensionsRequired'),
      bufferViews: buffer.bufferViews,
      buffers: [{ byteLength: buffer.length }],
    },
    buffer.content(),
  );
}

function unpack(stored: Uint8Array, { count, byteStride, mode, filter }: Packed): Uint8Array {
  const unpacked = new Uint8Array(count * byteStride);
  MeshoptDecoder.decodeGltfBuffer(unpacked, count, byteStride, stored, mode, filter);
  return unpacked;
}
