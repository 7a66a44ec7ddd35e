import { decodeSrgb } from '@platen/formats/mesh-model/gltf-materials';
import type { MeshMaterial, MeshPart } from '@platen/formats/mesh-model/mesh-model';
import { toLocal, type LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { Vector } from '@platen/geo/geodesy/geocentric';
import type { Paint, TilePrimitive } from '../../models/glb/write-feature-tile.ts';
import { linearBytes } from '../tile/shading.ts';

export interface PartLooks {
  readonly materials: readonly MeshMaterial[];
  /** The number of the page of an image; undefined if it is not shown. */
  readonly pageOf: (image: string) => number | undefined;
  /** Undefined: as the materials say. */
  readonly isUnlit: boolean | undefined;
}

const white = [1, 1, 1, 1] as const;

/** Joins parts that look alike into draw calls in the frame of a tile. Positions are those of EPSG:4978. */
export function joinParts(parts: readonly MeshPart[], frame: LocalFrame, looks: PartLooks): TilePrimitive[] {
  const groups = new Map<string, { readonly paint: Paint; readonly parts: MeshPart[] }>();
  for (const part of parts) {
    if (part.indices.length === 0) continue;
    const { paint, colour } = paintOf(part, looks);
    const shown = coloured(paint.isUnlit === true ? part : withNormals(part), paint, colour);
    const kinds = [shown.colours, shown.uvs, shown.features, shown.normals].map((one) => one !== undefined);
    const key = JSON.stringify([paint, kinds]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { paint, parts: [shown] });
    else group.parts.push(shown);
  }
  return [...groups.values()].map(({ paint, parts: all }) => joined(all, frame, paint));
}

function paintOf(
  { material: number, uvs }: MeshPart,
  { materials, pageOf, isUnlit }: PartLooks,
): { readonly paint: Paint; readonly colour: readonly number[] } {
  const material = materials[number];
  const page = material?.image === undefined || uvs === undefined ? undefined : pageOf(material.image);
  const [red, green, blue, alpha] = material?.colour ?? white;
  const colour = [decodeSrgb(red), decodeSrgb(green), decodeSrgb(blue), alpha];
  const paint: Paint = {
    page,
    isTranslucent: material?.alpha === 'blend',
    ...(page !== undefined && colour.some((band) => band !== 1) && { factor: colour }),
    ...((isUnlit ?? material?.isUnlit ?? false) && { isUnlit: true }),
    ...(page !== undefined && material?.cutoff !== undefined && { cutoff: material.cutoff }),
  };
  return { paint, colour };
}

/** Colours of vertices are linear; without an image, they hold the colour of the material, too. */
function coloured(part: MeshPart, { page }: Paint, colour: readonly number[]): MeshPart {
  const own = part.colours && linearBytes(part.colours);
  if (page !== undefined) return { ...part, colours: own };
  const count = part.positions.length / 3;
  const colours = own ?? new Uint8Array(count * 4).fill(255);
  for (let i = 0; i < colours.length; i++) colours[i] = Math.round(colours[i]! * colour[i % 4]!);
  return { ...part, colours, uvs: undefined };
}

/** Where a file has no normals, each triangle has its own (glTF 2.0, 3.7.2.1). */
function withNormals(part: MeshPart): MeshPart {
  if (part.normals !== undefined) return part;
  const { positions, uvs, colours, features, indices } = part;
  const pick = <A extends Float64Array | Float32Array | Uint8Array | Int32Array>(
    from: A,
    to: A,
    width: number,
  ): A => {
    for (const [at, vertex] of indices.entries())
      for (let k = 0; k < width; k++) to[at * width + k] = from[vertex * width + k]!;
    return to;
  };
  const count = indices.length;
  const own = pick(positions, new Float64Array(count * 3), 3);
  return {
    ...part,
    positions: own,
    uvs: uvs && pick(uvs, new Float32Array(count * 2), 2),
    colours: colours && pick(colours, new Uint8Array(count * 4), 4),
    features: features && pick(features, new Int32Array(count), 1),
    normals: normalsOfTriangles(own),
    indices: Uint32Array.from({ length: count }, (_, i) => i),
  };
}

function normalsOfTriangles(positions: Float64Array): Float32Array {
  const normals = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 9) {
    const edge = (corner: number, axis: number): number =>
      positions[i + corner * 3 + axis]! - positions[i + axis]!;
    const cross = (a: number, b: number): number => edge(1, a) * edge(2, b) - edge(1, b) * edge(2, a);
    const normal = [cross(1, 2), cross(2, 0), cross(0, 1)];
    const length = Math.hypot(...normal) || 1;
    for (let k = 0; k < 9; k++) normals[i + k] = normal[k % 3]! / length;
  }
  return normals;
}

function joined(parts: readonly MeshPart[], frame: LocalFrame, paint: Paint): TilePrimitive {
  const [first] = parts;
  const vertices = parts.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const positions = new Float64Array(vertices * 3);
  const normals = first!.normals && new Float32Array(vertices * 4);
  const colours = first!.colours && new Uint8Array(vertices * 4);
  const uvs = first!.uvs && new Float32Array(vertices * 2);
  const features = first!.features && new Uint16Array(vertices);
  const indices = new Uint32Array(parts.reduce((sum, part) => sum + part.indices.length, 0));
  let [vertex, corner] = [0, 0];
  for (const part of parts) {
    for (let i = 0; i < part.positions.length; i += 3) {
      const [east, north, up] = toLocal(frame, vectorAt(part.positions, i));
      positions.set([east, up, -north], vertex * 3 + i);
    }
    if (part.normals !== undefined) turnNormals(part.normals, frame, normals!.subarray(vertex * 4));
    if (part.colours !== undefined) colours!.set(part.colours, vertex * 4);
    if (part.features !== undefined) features!.set(part.features, vertex);
    // v of glTF is downwards
    for (let i = 0; part.uvs !== undefined && i < part.uvs.length; i += 2)
      uvs!.set([part.uvs[i]!, 1 - part.uvs[i + 1]!], vertex * 2 + i);
    for (const index of part.indices) indices[corner++] = vertex + index;
    vertex += part.positions.length / 3;
  }
  return { paint, positions, normals, colours, uvs, features, indices };
}

const vectorAt = (values: Float64Array | Float32Array, at: number): Vector => [
  values[at]!,
  values[at + 1]!,
  values[at + 2]!,
];

/** Directions of EPSG:4978 in the axes of glTF. */
function turnNormals(normals: Float32Array, { east, north, up }: LocalFrame, target: Float32Array): void {
  for (let i = 0; i < normals.length / 3; i++) {
    const along = (axis: Vector): number =>
      axis[0] * normals[i * 3]! + axis[1] * normals[i * 3 + 1]! + axis[2] * normals[i * 3 + 2]!;
    target[i * 4] = along(east);
    target[i * 4 + 1] = along(up);
    target[i * 4 + 2] = -along(north);
  }
}
