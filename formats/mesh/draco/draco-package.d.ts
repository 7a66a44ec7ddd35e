/** The parts of Draco's build that are used; it comes without types. */
declare module 'draco3d/draco_decoder_nodejs.js' {
  /** Objects stand in the memory of the module until they are destroyed. */
  type Instance = object;
  export interface DracoStatus extends Instance {
    ok(): boolean;
  }
  export interface DracoAttribute extends Instance {
    data_type(): number;
    num_components(): number;
    unique_id(): number;
  }
  export interface DracoMesh extends Instance {
    num_points(): number;
    num_faces(): number;
    num_attributes(): number;
  }
  export interface DracoDecoder extends Instance {
    DecodeArrayToMesh(bytes: Int8Array, length: number, mesh: DracoMesh): DracoStatus;
    GetAttribute(mesh: DracoMesh, index: number): DracoAttribute;
    GetAttributeDataArrayForAllPoints(
      mesh: DracoMesh,
      attribute: DracoAttribute,
      type: number,
      bytes: number,
      pointer: number,
    ): boolean;
    GetTrianglesUInt32Array(mesh: DracoMesh, bytes: number, pointer: number): boolean;
  }
  export interface DracoModule {
    readonly Decoder: new () => DracoDecoder;
    readonly Mesh: new () => DracoMesh;
    destroy(instance: Instance): void;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    /** All of its memory; another array once it has grown. */
    readonly HEAPU8: Uint8Array;
  }
  const open: (options: { print(text: string): void; printErr(text: string): void }) => Promise<DracoModule>;
  export default open;
}

/** With the encoder, which only tests use. */
declare module 'draco3d/draco_encoder_nodejs.js' {
  type Instance = object;
  interface Bytes extends Instance {
    GetValue(index: number): number;
  }
  interface MeshBuilder extends Instance {
    AddFacesToMesh(mesh: Instance, count: number, indices: Uint32Array): boolean;
    AddFloatAttribute(
      mesh: Instance,
      kind: number,
      vertices: number,
      width: number,
      values: Float32Array,
    ): number;
    AddUInt16Attribute(
      mesh: Instance,
      kind: number,
      vertices: number,
      width: number,
      values: Uint16Array,
    ): number;
    AddUInt8Attribute(
      mesh: Instance,
      kind: number,
      vertices: number,
      width: number,
      values: Uint8Array,
    ): number;
    AddUInt32Attribute(
      mesh: Instance,
      kind: number,
      vertices: number,
      width: number,
      values: Uint32Array,
    ): number;
    AddMetadata(mesh: Instance, metadata: Instance): boolean;
  }
  interface MetadataBuilder extends Instance {
    AddStringEntry(metadata: Instance, name: string, value: string): void;
  }
  interface Encoder extends Instance {
    SetEncodingMethod(method: number): void;
    SetSpeedOptions(encoding: number, decoding: number): void;
    SetAttributeQuantization(kind: number, bits: number): void;
    EncodeMeshToDracoBuffer(mesh: Instance, bytes: Bytes): number;
  }
  interface EncoderModule {
    readonly Encoder: new () => Encoder;
    readonly MeshBuilder: new () => MeshBuilder;
    readonly MetadataBuilder: new () => MetadataBuilder;
    readonly Metadata: new () => Instance;
    readonly Mesh: new () => Instance;
    readonly DracoInt8Array: new () => Bytes;
    readonly MESH_SEQUENTIAL_ENCODING: number;
    readonly MESH_EDGEBREAKER_ENCODING: number;
    readonly POSITION: number;
    readonly NORMAL: number;
    readonly COLOR: number;
    readonly TEX_COORD: number;
    readonly GENERIC: number;
    destroy(instance: Instance): void;
  }
  const open: (options: object) => Promise<EncoderModule>;
  export default open;
}
