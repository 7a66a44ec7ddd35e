import type { FacedPrimitive } from './encode-primitive.ts';

type Faces = Pick<FacedPrimitive, 'positions' | 'indices' | 'vertexEnds' | 'normals' | 'features'>;
type Edge = readonly [from: number, to: number];

/** Faces whose normals differ by less are one: two degrees and a half. */
const sameDirection = 0.999;

/**
 * The edges at which faces end, as pairs of vertices: those that one triangle of a face has and no other, but for edges
 * between faces of one feature in one plane.
 */
export function outlineEdges(faces: Faces): Uint32Array {
  const atPlace = new Map<string, { readonly face: number; readonly edge: Edge }[]>();
  let at = 0;
  for (const [face, end] of faces.vertexEnds.entries()) {
    const ofFace = new Map<string, Edge | undefined>();
    for (; at < faces.indices.length && faces.indices[at]! < end; at += 3) {
      for (let corner = 0; corner < 3; corner++) {
        const edge = [faces.indices[at + corner]!, faces.indices[at + ((corner + 1) % 3)]!] as const;
        const key = keyOf(String(edge[0]), String(edge[1]));
        ofFace.set(key, ofFace.has(key) ? undefined : edge);
      }
    }
    for (const edge of ofFace.values()) {
      if (edge === undefined) continue;
      const key = `${faces.features[face]} ${keyOf(placeOf(faces, edge[0]), placeOf(faces, edge[1]))}`;
      const known = atPlace.get(key);
      if (known === undefined) atPlace.set(key, [{ face, edge }]);
      else known.push({ face, edge });
    }
  }
  const edges: number[] = [];
  for (const found of atPlace.values()) {
    const [one, other] = found;
    if (found.length === 2 && isOnePlane(faces.normals, one!.face, other!.face)) continue;
    for (const { edge } of found) edges.push(...edge);
  }
  return Uint32Array.from(edges);
}

const keyOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

/** To the centimetre. */
const placeOf = ({ positions }: Faces, vertex: number): string =>
  [0, 1, 2].map((axis) => Math.round(positions[vertex * 3 + axis]! * 100)).join(',');

function isOnePlane(normals: Float32Array, one: number, other: number): boolean {
  let dot = 0;
  for (let axis = 0; axis < 3; axis++) dot += normals[one * 4 + axis]! * normals[other * 4 + axis]!;
  return dot > sameDirection;
}
