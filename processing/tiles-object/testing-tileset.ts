import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import { MeshoptDecoder } from 'meshoptimizer/decoder';

interface View {
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly byteStride?: number;
  readonly extensions?: { readonly EXT_meshopt_compression?: Packed };
}

interface Packed {
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly byteStride: number;
  readonly count: number;
  readonly mode: string;
  readonly filter?: string;
}

interface Accessor {
  readonly bufferView: number;
  readonly componentType: number;
  readonly count: number;
  readonly type: string;
  readonly normalized?: boolean;
}

interface Property {
  readonly values: number;
  readonly stringOffsets?: number;
}

export interface GlbJson {
  readonly accessors: readonly Accessor[];
  readonly bufferViews: readonly View[];
  readonly extensionsUsed?: readonly string[];
  readonly images?: readonly { readonly bufferView: number; readonly mimeType: string }[];
  readonly materials: readonly {
    readonly pbrMetallicRoughness: { readonly baseColorTexture?: { readonly index: number } };
  }[];
  readonly meshes: readonly [
    {
      readonly primitives: readonly {
        readonly attributes: Readonly<Record<string, number>>;
        readonly indices: number;
        readonly material: number;
      }[];
    },
  ];
  readonly nodes: readonly [
    { readonly matrix: Matrix },
    { readonly translation: readonly number[]; readonly scale?: readonly number[] },
  ];
  readonly extensions?: {
    readonly EXT_structural_metadata: {
      readonly schema: {
        readonly classes: {
          readonly object: {
            readonly properties: Readonly<
              Record<
                string,
                {
                  readonly type: string;
                  readonly componentType?: string;
                  readonly name?: string;
                  readonly noData?: unknown;
                }
              >
            >;
          };
        };
      };
      readonly propertyTables: readonly [
        { readonly count: number; readonly properties: Readonly<Record<string, Property>> },
      ];
    };
  };
}

export interface DecodedPrimitive {
  readonly material: number;
  /** x, y, z of EPSG:4978 of each vertex. */
  readonly places: readonly (readonly [number, number, number])[];
  readonly uvs: Float32Array | undefined;
  /** Red, green, blue and alpha of each vertex; undefined where there is an image. */
  readonly colours: Float64Array | undefined;
  readonly features: Float64Array;
  readonly indices: Float64Array;
}

export interface DecodedTile {
  readonly json: GlbJson;
  readonly primitives: readonly DecodedPrimitive[];
  /** The rows of the property table, by the names of attributes. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly image: (number: number) => Uint8Array;
}

/** Decodes a GLB as a viewer does: unpacks it, and moves its positions to the globe. */
export async function decodeGlb(bytes: Uint8Array): Promise<DecodedTile> {
  await MeshoptDecoder.ready;
  const buffer = Buffer.from(bytes);
  const jsonLength = buffer.readUInt32LE(12);
  const json = JSON.parse(buffer.toString('utf8', 20, 20 + jsonLength)) as GlbJson;
  const binary = buffer.subarray(28 + jsonLength);
  const viewBytes = (number: number): Uint8Array => {
    const view = json.bufferViews[number]!;
    const packed = view.extensions?.EXT_meshopt_compression;
    const start = packed?.byteOffset ?? view.byteOffset ?? 0;
    const stored = binary.subarray(start, start + (packed ?? view).byteLength);
    if (packed === undefined) return stored;
    const unpacked = new Uint8Array(packed.count * packed.byteStride);
    MeshoptDecoder.decodeGltfBuffer(
      unpacked,
      packed.count,
      packed.byteStride,
      stored,
      packed.mode,
      packed.filter,
    );
    return unpacked;
  };
  const read = (number: number): Float64Array => {
    const accessor = json.accessors[number]!;
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[accessor.type]!;
    const [size, get] = components[accessor.componentType]!;
    const source = viewBytes(accessor.bufferView);
    const stride = json.bufferViews[accessor.bufferView]!.byteStride ?? width * size;
    const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
    const values = new Float64Array(accessor.count * width);
    for (let i = 0; i < accessor.count; i++)
      for (let k = 0; k < width; k++) values[i * width + k] = get(view, i * stride + k * size);
    return values;
  };
  const [frame, grid] = json.nodes;
  const primitives = json.meshes[0].primitives.map(({ attributes, indices, material }) => {
    const positions = read(attributes['POSITION']!);
    const places = Array.from({ length: positions.length / 3 }, (_, i) => {
      const local = [0, 1, 2].map(
        (axis) => positions[i * 3 + axis]! * (grid.scale?.[axis] ?? 1) + grid.translation[axis]!,
      );
      const [x, y, z] = transformPosition(frame.matrix, local as [number, number, number]);
      // engines turn y up into z up
      return [x, -z, y] as const;
    });
    const uvs = attributes['TEXCOORD_0'];
    const colours = attributes['COLOR_0'];
    const numbers = attributes['_FEATURE_ID_0'] ?? attributes['_BATCHID'];
    return {
      material,
      places,
      uvs: uvs === undefined ? undefined : Float32Array.from(read(uvs)),
      colours: colours === undefined ? undefined : read(colours),
      features: numbers === undefined ? new Float64Array(0) : read(numbers),
      indices: read(indices),
    };
  });
  return {
    json,
    primitives,
    rows: rowsOf(json, viewBytes),
    image: (number) => viewBytes(json.images![number]!.bufferView),
  };
}

const components: Readonly<Record<number, readonly [bytes: number, (view: DataView, at: number) => number]>> =
  {
    5121: [1, (view, at) => view.getUint8(at)],
    5120: [1, (view, at) => view.getInt8(at)],
    5123: [2, (view, at) => view.getUint16(at, true)],
    5125: [4, (view, at) => view.getUint32(at, true)],
    5126: [4, (view, at) => view.getFloat32(at, true)],
  };

function rowsOf(
  { extensions }: GlbJson,
  viewBytes: (number: number) => Uint8Array,
): Record<string, unknown>[] {
  if (extensions === undefined) return [];
  const { schema, propertyTables } = extensions.EXT_structural_metadata;
  const [{ count, properties }] = propertyTables;
  const rows: Record<string, unknown>[] = Array.from({ length: count }, () => ({}));
  for (const [id, { values, stringOffsets }] of Object.entries(properties)) {
    const { type, componentType, name = id, noData } = schema.classes.object.properties[id]!;
    const bytes = Buffer.from(viewBytes(values));
    const offsets = stringOffsets === undefined ? undefined : Buffer.from(viewBytes(stringOffsets));
    for (const [i, row] of rows.entries()) {
      const value =
        type === 'STRING'
          ? bytes.toString('utf8', offsets!.readUInt32LE(i * 4), offsets!.readUInt32LE(i * 4 + 4))
          : type === 'BOOLEAN'
            ? ((bytes[i >> 3]! >> (i & 7)) & 1) === 1
            : componentType === 'INT32'
              ? bytes.readInt32LE(i * 4)
              : bytes.readDoubleLE(i * 8);
      if (value !== noData) row[name] = value;
    }
  }
  return rows;
}

export interface TileJson {
  readonly boundingVolume: { readonly region: readonly [number, number, number, number, number, number] };
  readonly geometricError: number;
  readonly content?: { readonly uri: string };
  readonly children?: readonly TileJson[];
}

/** Visits all tiles of a tileset in a folder, those of external tilesets as well. */
export async function eachTile(
  folder: string,
  visit: (tile: TileJson, parent: TileJson | undefined) => void | Promise<void>,
  name = 'tileset.json',
): Promise<void> {
  const { root } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { readonly root: TileJson };
  const walk = async (tile: TileJson, parent: TileJson | undefined): Promise<void> => {
    if (tile.content?.uri.endsWith('.json') === true) return eachTile(folder, visit, tile.content.uri);
    await visit(tile, parent);
    for (const child of tile.children ?? []) await walk(child, tile);
  };
  await walk(root, undefined);
}

/** The content of a tileset of one tile in the folder of outputs. */
export async function onlyTile(outputFolder: string): Promise<DecodedTile> {
  const folder = join(outputFolder, 'tileset');
  const paths: string[] = [];
  await eachTile(
    folder,
    ({ content }) => void (content !== undefined && paths.push(join(folder, content.uri))),
  );
  assert.equal(paths.length, 1);
  return decodeGlb(await readFile(paths[0]!));
}

/** Longitude and latitude in degrees, and height, of all vertices of a tile. */
export const verticesOf = ({ primitives }: DecodedTile): [number, number, number][] =>
  primitives.flatMap(({ places }) => places.map((place) => geodeticOf(place)));

/** Square metres of the triangles of each feature. */
export function areasOf({ primitives }: DecodedTile): Map<number, number> {
  const areas = new Map<number, number>();
  for (const { places, indices, features } of primitives) {
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [places[indices[i]!]!, places[indices[i + 1]!]!, places[indices[i + 2]!]!];
      const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
      const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
      const area = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
      const feature = features[indices[i]!]!;
      areas.set(feature, (areas.get(feature) ?? 0) + area);
    }
  }
  return areas;
}
