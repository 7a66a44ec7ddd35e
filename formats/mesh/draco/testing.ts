// oxlint-disable-next-line typescript/triple-slash-reference -- whoever imports this gets the types, too
/// <reference path="./draco-package.d.ts" />
import openEncoder from 'draco3d/draco_encoder_nodejs.js';
import { bytesOf } from '../../bytes/unpacked-bytes.ts';
import { writeGlb } from '../../gltf/write-glb.ts';
import { openGltf } from '../open-gltf.ts';

export interface DracoPacking {
  /** Default: edgebreaker. */
  readonly method?: 'sequential' | 'edgebreaker';
  /** Bits of positions; without it they stay as they are. */
  readonly bits?: number;
  readonly hasMetadata?: boolean;
  /** What the header says instead of the truth, without metadata. */
  readonly claims?: { readonly faces: number; readonly vertices: number };
}

export interface DracoSource {
  readonly indices: Uint32Array;
  /** The first ones are positions; others follow in the order of their ids, from 1. */
  readonly attributes: readonly {
    readonly kind: 'POSITION' | 'NORMAL' | 'COLOR' | 'TEX_COORD' | 'GENERIC';
    readonly width: number;
    readonly values: Float32Array | Uint8Array | Uint16Array | Uint32Array;
  }[];
}

const encoders = await openEncoder({});

/** Encodes a mesh by Draco's own encoder. */
export function encodeDraco(source: DracoSource, packing: DracoPacking = {}): Uint8Array {
  const [encoder, builder, mesh] = [new encoders.Encoder(), new encoders.MeshBuilder(), new encoders.Mesh()];
  builder.AddFacesToMesh(mesh, source.indices.length / 3, source.indices);
  for (const { kind, width, values } of source.attributes) {
    const more = [mesh, encoders[kind], values.length / width, width] as const;
    if (values instanceof Float32Array) builder.AddFloatAttribute(...more, values);
    else if (values instanceof Uint32Array) builder.AddUInt32Attribute(...more, values);
    else if (values instanceof Uint16Array) builder.AddUInt16Attribute(...more, values);
    else builder.AddUInt8Attribute(...more, values);
  }
  if (packing.hasMetadata === true) {
    const metadata = new encoders.Metadata();
    new encoders.MetadataBuilder().AddStringEntry(metadata, 'name', 'a name that is longer than others');
    builder.AddMetadata(mesh, metadata);
  }
  const isSequential = packing.method === 'sequential';
  encoder.SetEncodingMethod(
    isSequential ? encoders.MESH_SEQUENTIAL_ENCODING : encoders.MESH_EDGEBREAKER_ENCODING,
  );
  if (packing.bits !== undefined) encoder.SetAttributeQuantization(encoders.POSITION, packing.bits);
  const bytes = new encoders.DracoInt8Array();
  const length = encoder.EncodeMeshToDracoBuffer(mesh, bytes);
  const encoded = Uint8Array.from({ length }, (_, i) => bytes.GetValue(i));
  return packing.claims === undefined ? encoded : withClaims(encoded, packing.claims);
}

/** With other counts in the header of a mesh. */
function withClaims(bytes: Uint8Array, { faces, vertices }: NonNullable<DracoPacking['claims']>): Uint8Array {
  const isSequential = bytes[8] === 0;
  const start = isSequential ? 11 : 12;
  let end = start;
  for (let left = 2; left > 0; end++) if (bytes[end]! < 128) left--;
  const counts = isSequential ? [faces, vertices] : [vertices, faces];
  return Uint8Array.from([...bytes.subarray(0, start), ...counts.flatMap(varint), ...bytes.subarray(end)]);
}

/** A number as Draco writes it. */
function varint(value: number): number[] {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

const kinds = { POSITION: 'POSITION', NORMAL: 'NORMAL', COLOR_0: 'COLOR', TEXCOORD_0: 'TEX_COORD' } as const;
const widths: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

interface WritableGlb {
  readonly meshes: {
    readonly primitives: {
      readonly attributes: Readonly<Record<string, number>>;
      readonly indices?: number;
      extensions?: object;
    }[];
  }[];
  readonly accessors: {
    bufferView?: number;
    byteOffset?: number;
    componentType: number;
    count: number;
    type: string;
  }[];
  readonly bufferViews: {
    readonly byteOffset: number;
    readonly byteLength: number;
    readonly byteStride?: number;
  }[];
  readonly buffers: object[];
  readonly extensionsRequired?: string[];
}

/** The same GLB with its primitives packed by KHR_draco_mesh_compression, without what they were. */
export async function packWithDraco(glb: Uint8Array, packing: DracoPacking = {}): Promise<Uint8Array> {
  const { root } = await openGltf(bytesOf(glb), async () => undefined);
  const json = structuredClone(root) as unknown as WritableGlb;
  const jsonLength = Buffer.from(glb).readUInt32LE(12);
  let binary = Buffer.from(glb.subarray(28 + jsonLength));
  const packed = new Set<number>();
  const take = (number: number) => {
    packed.add(number);
    const { bufferView, byteOffset = 0, componentType, count, type } = json.accessors[number]!;
    const view = json.bufferViews[bufferView!]!;
    const Values = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array }[
      componentType
    ]!;
    const width = widths[type]!;
    const size = Values.BYTES_PER_ELEMENT * width;
    const values = new Values(count * width);
    const target = new Uint8Array(values.buffer);
    for (let i = 0; i < count; i++) {
      const at = view.byteOffset + byteOffset + i * (view.byteStride ?? size);
      target.set(binary.subarray(at, at + size), i * size);
    }
    return { values, width };
  };
  for (const primitive of json.meshes.flatMap(({ primitives }) => primitives)) {
    const names = Object.keys(primitive.attributes);
    const attributes = names.map((name) => ({
      kind: kinds[name as keyof typeof kinds] ?? 'GENERIC',
      ...take(primitive.attributes[name]!),
    }));
    const vertices = attributes[0]!.values.length / attributes[0]!.width;
    const indices =
      primitive.indices === undefined
        ? Uint32Array.from({ length: vertices }, (_, i) => i)
        : Uint32Array.from(take(primitive.indices).values);
    const bytes = encodeDraco({ indices, attributes }, packing);
    const byteOffset = binary.length;
    const bufferView =
      json.bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length } as never) - 1;
    binary = Buffer.concat([binary, bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
    primitive.extensions = {
      ...primitive.extensions,
      KHR_draco_mesh_compression: {
        bufferView,
        attributes: Object.fromEntries(names.map((name, id) => [name, id])),
      },
    };
  }
  for (const number of packed) {
    const { byteOffset, byteLength } = json.bufferViews[json.accessors[number]!.bufferView!]!;
    binary.fill(0, byteOffset, byteOffset + byteLength);
    delete json.accessors[number]!.bufferView;
  }
  json.buffers[0] = { byteLength: binary.length };
  const required = [...(json.extensionsRequired ?? []), 'KHR_draco_mesh_compression'];
  return writeGlb({ ...json, extensionsUsed: required, extensionsRequired: required }, binary);
}
