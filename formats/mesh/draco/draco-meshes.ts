import { asIndex } from '../../json/read-values.ts';
import { SourceError } from '../../source/source.ts';
import type { DracoExtension, Gltf, GltfPrimitive } from '../gltf.ts';
import type { ReadBuffer } from '../read-accessor.ts';
import { decodeDraco, type DecodedDraco, type DecodedValues } from './decode-draco.ts';
import { readDracoHeader, type DracoHeader } from './read-draco-header.ts';

/** Reads what primitives have by KHR_draco_mesh_compression. Undefined if that is damaged, or too much. */
export type ReadDraco = (extension: DracoExtension) => Promise<DecodedDraco | undefined>;

export interface DracoLimits {
  /** Of all packed meshes together, with those that turn out to be damaged: these take as long. */
  readonly maxFaces: number;
  /** Of each packed mesh. */
  readonly maxBytes: number;
  /** Memory that decoding all of them may take, by what their headers claim; default: any. */
  readonly maxDecodingBytes?: number | undefined;
}

/** Tables of the decoder, and indices. */
const bytesPerFace = 70;
/** Positions, normals and texture coordinates, in the memory of the decoder and copied from there. */
const bytesPerVertex = 64;
const decodingBytesOf = ({ faces, vertices }: DracoHeader): number =>
  faces * bytesPerFace + vertices * bytesPerVertex;

/** Metadata may stand before the counts. */
const headBytes = 4096;
/** Times that meshes grow whose header cannot be read here, at most. */
const usualRatio = 40;

/** The memory in bytes that decoding all packed meshes of a glTF takes, by their headers alone. */
export async function measureDraco({ meshes, bufferViews }: Gltf, read: ReadBuffer): Promise<number> {
  const numbers = meshes.flat().flatMap(({ draco }) => draco?.bufferView ?? []);
  let bytes = 0;
  for (const number of new Set(numbers)) {
    const view = bufferViews[number];
    if (view === undefined) continue;
    const { buffer, byteOffset, byteLength } = view;
    const head = await read(buffer, byteOffset, Math.min(headBytes, byteLength));
    const header = head && readDracoHeader(head);
    bytes += header === undefined ? byteLength * usualRatio : decodingBytesOf(header);
  }
  return bytes;
}

/** Reads the packed meshes of a glTF, each once. It throws SourceError where they take too much memory. */
export function createDracoReader(
  gltf: Gltf,
  read: ReadBuffer,
  { maxFaces, maxBytes, maxDecodingBytes = Infinity }: DracoLimits,
): ReadDraco {
  const known = new Map<number, DecodedDraco | undefined>();
  let left = maxFaces;
  let decodingBytes = 0;
  return async ({ bufferView: number }) => {
    if (known.has(number)) return known.get(number);
    const view = gltf.bufferViews[number];
    const bytes =
      view === undefined || view.isCompressed || view.byteLength > maxBytes
        ? undefined
        : await read(view.buffer, view.byteOffset, view.byteLength);
    let mesh: DecodedDraco | undefined;
    if (bytes !== undefined && bytes.length >= view!.byteLength) {
      const header = readDracoHeader(bytes);
      if (header !== undefined) decodingBytes += decodingBytesOf(header);
      if (decodingBytes > maxDecodingBytes) throw tooLarge(decodingBytes, maxDecodingBytes);
      mesh = await decodeDraco(bytes, left, header);
      if (header !== undefined && header.faces <= left) left -= header.faces;
    }
    known.set(number, mesh);
    return mesh;
  };
}

function tooLarge(needed: number, allowed: number): SourceError {
  const [mega, limit] = [needed, allowed].map((bytes) => Math.ceil(bytes / 2 ** 20));
  return new SourceError(
    'unsupported',
    `its meshes are packed by Draco and claim to need ${mega} MiB of memory, more than the ${limit} MiB that there are for them: allow the job more memory, or divide the file`,
  );
}

/** The values of accessors of a primitive that are packed, which count instead of what these say. */
export function decodedAccessors(
  { attributes, draco }: Pick<GltfPrimitive, 'attributes' | 'draco'>,
  packed: DecodedDraco,
): ReadonlyMap<number, DecodedValues> {
  const decoded = new Map<number, DecodedValues>();
  for (const [name, id] of Object.entries(draco?.attributes ?? {})) {
    const accessor = asIndex(attributes[name]);
    const values = packed.attributes.get(asIndex(id) ?? -1);
    if (accessor !== undefined && values !== undefined) decoded.set(accessor, values);
  }
  return decoded;
}
