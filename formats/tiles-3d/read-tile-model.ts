import { multiply, type Matrix } from '@platen/geo/geodesy/matrix';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import type { Attributes } from '../city-object/city-object.ts';
import type { FindBuffer } from '../mesh/open-gltf.ts';
import type { MeshMaterial, MeshModel, MeshObject, MeshPart } from '../mesh-model/mesh-model.ts';
import { maxVertices } from '../mesh-model/mesh-model.ts';
import { transformPart } from '../mesh-model/place-parts.ts';
import {
  readGltfModel,
  readRowsOfGltf,
  type GltfReading,
  type TileReading,
} from '../mesh-model/read-gltf-model.ts';
import { SourceError } from '../source/source.ts';
import { splitContent, type TilePart } from './split-content.ts';
import type { PlacedContent } from './tree-context.ts';

export interface TileModelReading
  extends Pick<GltfReading, 'onNotice' | 'unpack' | 'maxDecodingBytes'>, Pick<TileReading, 'byId'> {
  readonly place: Pick<PlacedContent, 'matrix' | 'upAxis'>;
  /** Opens a file beside the content. */
  readonly find: FindBuffer;
  /** The name of an image within a part of the content. */
  readonly embedded: (part: number, image: number) => string;
}

/**
 * Reads a content, unpacked, with all of its features: positions are those of the tileset, of EPSG:4978 if it is on
 * earth. @throws SourceError, BytesError
 */
export async function readTileModel(content: Uint8Array, reading: TileModelReading): Promise<MeshModel> {
  const { place, find, onNotice } = reading;
  const { parts, others } = splitContent(content);
  for (const kind of others) onNotice('unsupportedPart', `${kind}: it has no triangles`);
  const objects: MeshObject[] = [];
  const materials: MeshMaterial[] = [];
  const rows: Attributes[] = [];
  let vertices = 0;
  for (const [number, part] of parts.entries()) {
    const gltf = typeof part.gltf === 'string' ? await find(part.gltf) : bytesOf(part.gltf);
    if (gltf === undefined) continue;
    const model = await readGltfModel(gltf, {
      ...reading,
      embedded: (image) => reading.embedded(number, image),
      tile: { rows: part.rows, upAxis: place.upAxis, byId: reading.byId },
    });
    const offsets = { material: materials.length, row: rows.length };
    for (const object of model.objects) {
      const placed = object.parts.flatMap((one) => {
        vertices += (one.positions.length / 3) * (part.instances?.length ?? 1);
        if (vertices > maxVertices)
          throw new SourceError(
            'unsupported',
            `its instances have more than ${maxVertices} vertices: divide it`,
          );
        return placePart(one, part, place.matrix).map((own) => withOffsets(own, offsets));
      });
      objects.push({ ...object, parts: placed });
    }
    materials.push(...model.materials);
    for (const row of model.rows ?? []) rows.push(row);
  }
  return { objects, materials, rows };
}

/** The attributes of all features of a content, in the order of those of its model. @throws SourceError, BytesError */
export async function readTileRows(
  content: Uint8Array,
  reading: Pick<TileModelReading, 'find' | 'onNotice' | 'unpack'>,
): Promise<Attributes[]> {
  const rows: Attributes[] = [];
  for (const { gltf, rows: own } of splitContent(content).parts) {
    if (own === undefined && typeof gltf === 'string') continue;
    for (const row of own ?? (await readRowsOfGltf(bytesOf(gltf as Uint8Array), reading))) rows.push(row);
  }
  return rows;
}

function placePart(part: MeshPart, { center, instances, rows = [] }: TilePart, matrix: Matrix): MeshPart[] {
  if (instances === undefined) {
    const [x = 0, y = 0, z = 0] = center ?? [];
    return [transformPart(part, multiply(matrix, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]))];
  }
  return instances.map((one) =>
    Object.assign(transformPart(part, multiply(matrix, one.matrix)), {
      features: new Int32Array(part.positions.length / 3).fill(one.feature < rows.length ? one.feature : -1),
    }),
  );
}

function withOffsets(
  part: MeshPart,
  { material, row }: { readonly material: number; readonly row: number },
): MeshPart {
  return {
    ...part,
    material: part.material < 0 ? part.material : part.material + material,
    features:
      row === 0 ? part.features : part.features?.map((feature) => (feature < 0 ? feature : feature + row)),
  };
}

/** Each feature as an object with its id, class and attributes; what belongs to none, as it is. */
export function objectsByFeature({ objects, materials, rows = [] }: MeshModel): MeshModel {
  const ofFeature = new Map<number, MeshPart[]>();
  const others: MeshObject[] = [];
  for (const object of objects) {
    const rest: MeshPart[] = [];
    for (const part of object.parts) {
      for (const [feature, indices] of trianglesByFeature(part)) {
        const own = compactPart(part, indices);
        if (feature < 0) rest.push(own);
        else {
          const known = ofFeature.get(feature);
          if (known === undefined) ofFeature.set(feature, [own]);
          else known.push(own);
        }
      }
    }
    if (rest.length > 0) others.push({ ...object, parts: rest });
  }
  const features = [...ofFeature]
    .toSorted(([a], [b]) => a - b)
    .map(([feature, parts]) => objectOf(rows[feature] ?? new Map(), parts));
  return { objects: [...features, ...others], materials };
}

function objectOf(row: Attributes, parts: readonly MeshPart[]): MeshObject {
  const attributes = new Map(row);
  const [id, name] = [row.get('id'), row.get('class')];
  attributes.delete('id');
  if (typeof name === 'string') attributes.delete('class');
  const named = { name: id === undefined ? '' : String(id), attributes, parts };
  return typeof name === 'string' ? { ...named, class: name } : named;
}

/** Triangles by the feature of their first corner. */
function trianglesByFeature({ indices, features }: MeshPart): Map<number, Uint32Array> {
  if (features === undefined) return new Map([[-1, indices]]);
  const lists = new Map<number, number[]>();
  for (let i = 0; i < indices.length; i += 3) {
    const feature = features[indices[i]!]!;
    let list = lists.get(feature);
    if (list === undefined) lists.set(feature, (list = []));
    list.push(indices[i]!, indices[i + 1]!, indices[i + 2]!);
  }
  return new Map([...lists].map(([feature, list]) => [feature, Uint32Array.from(list)]));
}

/** Some triangles of a part, with the vertices that they use. */
export function compactPart(part: MeshPart, triangles: Uint32Array): MeshPart {
  const numbers = new Map<number, number>();
  const used: number[] = [];
  const indices = triangles.map((vertex) => {
    let number = numbers.get(vertex);
    if (number === undefined) numbers.set(vertex, (number = used.push(vertex) - 1));
    return number;
  });
  const pick = <A extends Float64Array | Float32Array | Uint8Array | Int32Array>(
    from: A,
    to: A,
    width: number,
  ): A => {
    for (const [at, vertex] of used.entries())
      for (let k = 0; k < width; k++) to[at * width + k] = from[vertex * width + k]!;
    return to;
  };
  const { positions, uvs, colours, normals, features, material } = part;
  const count = used.length;
  return {
    positions: pick(positions, new Float64Array(count * 3), 3),
    uvs: uvs && pick(uvs, new Float32Array(count * 2), 2),
    colours: colours && pick(colours, new Uint8Array(count * 4), 4),
    normals: normals && pick(normals, new Float32Array(count * 3), 3),
    features: features && pick(features, new Int32Array(count), 1),
    indices,
    material,
  };
}
