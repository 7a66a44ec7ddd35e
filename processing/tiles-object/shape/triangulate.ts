import { startOf, type SurfaceSet } from '@platen/formats/city-object/surface-set';
import { maxVertices, normalOf, triangulateRings } from '../../models/triangulate-rings.ts';

/** A surface as triangles of its own vertices. */
export interface TriangulatedSurface {
  readonly positions: number[];
  readonly uvs: number[] | undefined;
  readonly triangles: number[];
  /** Of length 1, outwards if the outer ring is counter-clockwise seen from outside. */
  readonly normal: [x: number, y: number, z: number];
}

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
  const vertices: number[] = [];
  const holes: number[] = [];
  const first = startOf(set.surfaceEnds, surface);
  let outerEnd = 0;
  for (let ring = first; ring < set.surfaceEnds[surface]!; ring++) {
    const before = vertices.length;
    takeRing(set, ring, positions, vertices);
    if (vertices.length - before < 3) {
      vertices.length = before;
      if (ring === first) return undefined;
    } else if (ring === first) outerEnd = vertices.length;
    else holes.push(before);
  }
  const own: number[] = [];
  for (const vertex of vertices)
    own.push(positions[vertex * 3]!, positions[vertex * 3 + 1]!, positions[vertex * 3 + 2]!);
  const normal = normalOf(own, outerEnd);
  if (normal === undefined) return undefined;
  const triangles = triangulateRings(own, holes, normal);
  if (triangles.length === 0) return undefined;
  const { uvs } = set;
  const ownUvs = uvs && vertices.flatMap((vertex) => [uvs[vertex * 2]!, uvs[vertex * 2 + 1]!]);
  const hasUvs = ownUvs?.every((value) => Number.isFinite(value)) === true;
  const made = { positions: own, uvs: hasUvs ? ownUvs : undefined, triangles, normal };
  return vertices.length > maxVertices ? withoutUnused(made) : made;
}

/** Of surfaces of very many vertices, few are used. */
function withoutUnused({ positions, uvs, triangles, normal }: TriangulatedSurface): TriangulatedSurface {
  const used = [...new Set(triangles)];
  const places = new Map(used.map((vertex, place) => [vertex, place]));
  const pick = (values: readonly number[], width: number): number[] =>
    used.flatMap((vertex) => values.slice(vertex * width, (vertex + 1) * width));
  return {
    positions: pick(positions, 3),
    uvs: uvs && pick(uvs, 2),
    triangles: triangles.map((vertex) => places.get(vertex)!),
    normal,
  };
}

/** Positions that repeat the one before, or the first at the end, are left out. */
function takeRing(set: SurfaceSet, ring: number, positions: Float64Array, vertices: number[]): void {
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
