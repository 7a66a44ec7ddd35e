// oxlint-disable-next-line typescript/triple-slash-reference -- whoever imports this gets the types, too
/// <reference path="./draco-package.d.ts" />
import type { DracoAttribute, DracoMesh, DracoModule } from 'draco3d/draco_decoder_nodejs.js';
import { readDracoHeader } from './read-draco-header.ts';

export interface DecodedDraco {
  readonly faces: number;
  readonly indices: Uint32Array;
  /** By their unique ids. */
  readonly attributes: ReadonlyMap<number, DecodedValues>;
}

/** The values of all vertices. */
export interface DecodedValues {
  readonly values:
    | Int8Array
    | Uint8Array
    | Int16Array
    | Uint16Array
    | Int32Array
    | Uint32Array
    | Float32Array;
  readonly width: number;
}

/** By the numbers that Draco has for types. */
const arrays = new Map<number, new (buffer: ArrayBuffer) => DecodedValues['values']>([
  [1, Int8Array],
  [2, Uint8Array],
  [3, Int16Array],
  [4, Uint16Array],
  [5, Int32Array],
  [6, Uint32Array],
  [9, Float32Array],
]);

/** Attributes of glTF have four numbers at most; with 255, the size of all values would not fit into 32 bits. */
const maxWidth = 4;
/** What claims to unpack to more than so many times its bytes is damaged, unless that is little. */
const maxRatio = 1000;
const minBytes = 64 << 20;
/** Memory of a module never shrinks: one that has grown so large is opened anew. */
const maxKeptBytes = 256 << 20;

let opening: Promise<DracoModule> | undefined;

/** Decodes a mesh. Undefined if it is damaged, of another version, or claims to have more faces than it may. */
export async function decodeDraco(
  bytes: Uint8Array,
  maxFaces: number,
  header = readDracoHeader(bytes),
): Promise<DecodedDraco | undefined> {
  if (header === undefined || header.faces > maxFaces || header.vertices > header.faces * 3) return undefined;
  if ((header.faces + header.vertices) * 12 > bytes.length * maxRatio + minBytes) return undefined;
  const module = await (opening ??= openDecoder());
  try {
    const decoded = decode(module, bytes);
    if (module.HEAPU8.length > maxKeptBytes) opening = undefined;
    return decoded;
  } catch {
    // it ran out of memory, or worse: its memory may be in disorder
    opening = undefined;
    return undefined;
  }
}

/** Loaded where it is needed: few files need it. */
async function openDecoder(): Promise<DracoModule> {
  const { default: open } = await import('draco3d/draco_decoder_nodejs.js');
  const quiet = (): void => {};
  return open({ print: quiet, printErr: quiet });
}

function decode(module: DracoModule, bytes: Uint8Array): DecodedDraco | undefined {
  const [decoder, mesh] = [new module.Decoder(), new module.Mesh()];
  try {
    const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    if (!decoder.DecodeArrayToMesh(signed, bytes.length, mesh).ok()) return undefined;
    const faces = mesh.num_faces();
    const length = faces * 12;
    const indices = copyFrom(module, length, (to) => decoder.GetTrianglesUInt32Array(mesh, length, to));
    if (indices === undefined) return undefined;
    const attributes = new Map<number, DecodedValues>();
    for (let i = 0; i < mesh.num_attributes(); i++) {
      const attribute = decoder.GetAttribute(mesh, i);
      const values = valuesOf(module, mesh, attribute, (type, size, to) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, size, to),
      );
      if (values !== undefined) attributes.set(attribute.unique_id(), values);
    }
    return { faces, indices: new Uint32Array(indices), attributes };
  } finally {
    module.destroy(mesh);
    module.destroy(decoder);
  }
}

function valuesOf(
  module: DracoModule,
  mesh: DracoMesh,
  attribute: DracoAttribute,
  write: (type: number, size: number, to: number) => boolean,
): DecodedValues | undefined {
  const [type, width] = [attribute.data_type(), attribute.num_components()];
  const Values = arrays.get(type);
  if (Values === undefined || width > maxWidth) return undefined;
  const size = mesh.num_points() * width * (Values as unknown as Uint8ArrayConstructor).BYTES_PER_ELEMENT;
  const values = copyFrom(module, size, (to) => write(type, size, to));
  return values && { values: new Values(values), width };
}

/** What is written into memory of the module. */
function copyFrom(
  module: DracoModule,
  size: number,
  write: (to: number) => boolean,
): ArrayBuffer | undefined {
  const to = module._malloc(size);
  if (to === 0) return undefined;
  try {
    return write(to) ? module.HEAPU8.slice(to, to + size).buffer : undefined;
  } finally {
    module._free(to);
  }
}
