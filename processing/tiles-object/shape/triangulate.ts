import { startOf, type SurfaceSet } from '@platen/formats/city-object/surface-set';
import earcut from 'earcut';

/** A surface as triangles of its own vertices. */
export interface TriangulatedSurface {
  readonly positions: number[];
  readonly uvs: number[] | undefined;
  readonly triangles: number[];
  /** Of length 1, outwards if the outer ring is counter-clockwise seen from outside. */
  readonly normal: [x: number, y: number, z: number];
}

/** Square metres: less is not seen, and its plane is chance. */
const minArea = 1e-6;

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
  const normal = newell(positions, vertices, outerEnd);
  if (normal === undefined) return undefined;
  const own: number[] = [];
  for (const vertex of vertices)
    own.push(positions[vertex * 3]!, positions[vertex * 3 + 1]!, positions[vertex * 3 + 2]!);
  const triangles = trianglesOf(own, holes, normal);
  if (triangles.length === 0) return undefined;
  const { uvs } = set;
  const ownUvs = uvs && vertices.flatMap((vertex) => [uvs[vertex * 2]!, uvs[vertex * 2 + 1]!]);
  const hasUvs = ownUvs?.every((value) => Number.isFinite(value)) === true;
  return { positions: own, uvs: hasUvs ? ownUvs : undefined, triangles, normal };
}

/** Positions that repeat the one before, or the first at the end, are left out. */
function takeRing(set: SurfaceSet, ring: number, positions: Float64Array, vertices: number[]): void {
  const start = vertices.length;
  const isSame = (a: number, b: number): boolean =>
    positions[a * 3] === positions[b * 3] &&
    positions[a * 3 + 1] === positions[b * 3 + 1] &&
    positions[a * 3 + 2] === positions[b * 3 + 2];
  for (let i = startOf(set.ringEnds, ring); i < set.ringEnds[ring]!; i++)
    if (vertices.length === start || !isSame(vertices.at(-1)!, i)) vertices.push(i);
  while (vertices.length - start > 1 && isSame(vertices[start]!, vertices.at(-1)!)) vertices.pop();
}

function newell(
  positions: Float64Array,
  vertices: readonly number[],
  end: number,
): [number, number, number] | undefined {
  let [nx, ny, nz] = [0, 0, 0];
  for (let i = 0; i < end; i++) {
    const [a, b] = [vertices[i]! * 3, vertices[(i + 1) % end]! * 3];
    nx += (positions[a + 1]! - positions[b + 1]!) * (positions[a + 2]! + positions[b + 2]!);
    ny += (positions[a + 2]! - positions[b + 2]!) * (positions[a]! + positions[b]!);
    nz += (positions[a]! - positions[b]!) * (positions[a + 1]! + positions[b + 1]!);
  }
  const length = Math.hypot(nx, ny, nz);
  return length / 2 > minArea ? [nx / length, ny / length, nz / length] : undefined;
}

function trianglesOf(
  own: readonly number[],
  holes: readonly number[],
  normal: readonly [number, number, number],
): number[] {
  const count = own.length / 3;
  if (count === 3) return [0, 1, 2];
  const sizes = normal.map(Math.abs);
  const dropped = sizes[2]! >= sizes[0]! && sizes[2]! >= sizes[1]! ? 2 : sizes[0]! >= sizes[1]! ? 0 : 1;
  const [u, v] = [(dropped + 1) % 3, (dropped + 2) % 3];
  const flat = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    flat[i * 2] = own[i * 3 + u]!;
    flat[i * 2 + 1] = own[i * 3 + v]!;
  }
  const triangles = earcut(flat, [...holes], 2);
  const isUp = normal[dropped]! > 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i]! * 2, triangles[i + 1]! * 2, triangles[i + 2]! * 2];
    const turn =
      (flat[b]! - flat[a]!) * (flat[c + 1]! - flat[a + 1]!) -
      (flat[c]! - flat[a]!) * (flat[b + 1]! - flat[a + 1]!);
    if (turn > 0 === isUp) continue;
    const second = triangles[i + 1]!;
    triangles[i + 1] = triangles[i + 2]!;
    triangles[i + 2] = second;
  }
  return triangles;
}
