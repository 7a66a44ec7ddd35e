import { startOf, type SurfaceSet } from '@platen/formats/city-object/surface-set';
import { grown } from '../../models/grown.ts';
import { maxVertices, normalOf, triangulateRings } from '../../models/triangulate-rings.ts';
import type { Normal } from './mesh-builder.ts';

/** A surface as triangles of its own vertices. Valid until the next one is divided. */
export interface TriangulatedSurface {
  /** x, y, z of each vertex, and numbers that do not count. */
  readonly positions: Float64Array;
  /** Of vertices. */
  readonly count: number;
  readonly uvs: readonly number[] | undefined;
  readonly triangles: readonly number[];
  /** Of length 1, outwards if the outer ring is counter-clockwise seen from outside. */
  readonly normal: Normal;
}

/** The numbers of the vertices of a surface, and x, y, z of each. */
const vertices: number[] = [];
const holes: number[] = [];
let own = new Float64Array(3 * 64);

/**
 * Divides a surface into triangles in the plane of its outer ring, by Newell's normal (Newell, Newell and Sancha 1972)
 * and ear clipping. Undefined without an area.
 * @param positions x, y, z of all positions of the set in metres
 */
export function triangulate(
  set: SurfaceSet,
  surface: number,
  positions: Float64Array,
): TriangulatedSurface | undefined {
  vertices.length = 0;
  holes.length = 0;
  const first = startOf(set.surfaceEnds, surface);
  let outerEnd = 0;
  for (let ring = first; ring < set.surfaceEnds[surface]!; ring++) {
    const before = vertices.length;
    takeRing(set, ring, positions);
    if (vertices.length - before < 3) {
      vertices.length = before;
      if (ring === first) return undefined;
    } else if (ring === first) outerEnd = vertices.length;
    else holes.push(before);
  }
  const count = vertices.length;
  own = grown(own, count * 3);
  for (let i = 0; i < count; i++) {
    const from = vertices[i]! * 3;
    own[i * 3] = positions[from]!;
    own[i * 3 + 1] = positions[from + 1]!;
    own[i * 3 + 2] = positions[from + 2]!;
  }
  const normal = normalOf(own, outerEnd);
  if (normal === undefined) return undefined;
  const triangles = triangulateRings(own, count, holes, normal);
  if (triangles.length === 0) return undefined;
  const made = { positions: own, count, uvs: uvsOf(set), triangles, normal };
  return count > maxVertices ? withoutUnused(made) : made;
}

/** Those of the vertices, if all of them have some. */
function uvsOf({ uvs }: SurfaceSet): number[] | undefined {
  if (uvs === undefined) return undefined;
  const ownUvs = vertices.flatMap((vertex) => [uvs[vertex * 2]!, uvs[vertex * 2 + 1]!]);
  return ownUvs.every((value) => Number.isFinite(value)) ? ownUvs : undefined;
}

/** Of surfaces of very many vertices, few are used. */
function withoutUnused({ positions, uvs, triangles, normal }: TriangulatedSurface): TriangulatedSurface {
  const used = [...new Set(triangles)];
  const places = new Map(used.map((vertex, place) => [vertex, place]));
  const pick = (values: ArrayLike<number>, width: number): number[] =>
    used.flatMap((vertex) => Array.from({ length: width }, (_, i) => values[vertex * width + i]!));
  return {
    positions: Float64Array.from(pick(positions, 3)),
    count: used.length,
    uvs: uvs && pick(uvs, 2),
    triangles: triangles.map((vertex) => places.get(vertex)!),
    normal,
  };
}

/** Positions that repeat the one before, or the first at the end, are left out. */
function takeRing(set: SurfaceSet, ring: number, positions: Float64Array): void {
  const start = vertices.length;
  const end = set.ringEnds[ring]!;
  for (let i = startOf(set.ringEnds, ring); i < end; i++)
    if (vertices.length === start || !isSame(positions, vertices[vertices.length - 1]!, i)) vertices.push(i);
  while (vertices.length - start > 1 && isSame(positions, vertices[start]!, vertices[vertices.length - 1]!))
    vertices.pop();
}

const isSame = (positions: Float64Array, a: number, b: number): boolean =>
  positions[a * 3] === positions[b * 3] &&
  positions[a * 3 + 1] === positions[b * 3 + 1] &&
  positions[a * 3 + 2] === positions[b * 3 + 2];
