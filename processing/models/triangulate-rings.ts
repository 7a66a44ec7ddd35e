import earcut from 'earcut';

type Normal = readonly [x: number, y: number, z: number];

/** Square metres: less is not seen, and its plane is chance. */
const minArea = 1e-6;

/**
 * Newell's normal of a ring (Newell, Newell and Sancha 1972), of length 1. Undefined without an area.
 * @param positions x, y, z of each position, the ring first
 * @param count positions of the ring
 */
export function normalOf(
  positions: ArrayLike<number>,
  count: number,
  smallest = minArea,
): [x: number, y: number, z: number] | undefined {
  let nx = 0;
  let ny = 0;
  let nz = 0;
  for (let i = 0; i < count; i++) {
    const a = i * 3;
    const b = i + 1 === count ? 0 : a + 3;
    const x = positions[a]!;
    const y = positions[a + 1]!;
    const z = positions[a + 2]!;
    const nextX = positions[b]!;
    const nextY = positions[b + 1]!;
    const nextZ = positions[b + 2]!;
    nx += (y - nextY) * (z + nextZ);
    ny += (z - nextZ) * (x + nextX);
    nz += (x - nextX) * (y + nextY);
  }
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  return length / 2 > smallest ? [nx / length, ny / length, nz / length] : undefined;
}

const [triangle, quad]: readonly (readonly number[])[] = [
  [0, 1, 2],
  [0, 1, 2, 0, 2, 3],
];

/**
 * Divides a polygon into triangles in its plane, by ear clipping.
 * @param positions x, y, z of each position
 * @param count positions of the polygon
 * @param holes the first position of each ring but the outer one
 * @returns three positions of each triangle, which have the direction of the normal
 */
export function triangulateRings(
  positions: ArrayLike<number>,
  count: number,
  holes: readonly number[],
  normal: Normal,
): readonly number[] {
  if (count === 3) return triangle!;
  const [x, y, z] = [Math.abs(normal[0]), Math.abs(normal[1]), Math.abs(normal[2])];
  const dropped = z >= x && z >= y ? 2 : x >= y ? 0 : 1;
  const [u, v] = [(dropped + 1) % 3, (dropped + 2) % 3];
  const isUp = normal[dropped]! > 0;
  if (count === 4 && holes.length === 0 && isConvex(positions, u, v, isUp)) return quad!;
  const flat = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    flat[i * 2] = positions[i * 3 + u]!;
    flat[i * 2 + 1] = positions[i * 3 + v]!;
  }
  const triangles = count > maxVertices ? divideThinned(flat, holes) : earcut(flat, [...holes], 2);
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

/** Ear clipping takes up to a second for so many, and four times as long for twice as many. */
export const maxVertices = 10_000;

/** Divides a polygon of very many vertices by some of them: all others are nearer to one of these than can be seen. */
function divideThinned(flat: Float64Array, holes: readonly number[]): number[] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < flat.length; i += 2) {
    low = Math.min(low, flat[i]!);
    high = Math.max(high, flat[i]!);
  }
  let kept: ReturnType<typeof thinRings>;
  let distance = (high - low) / 1e6;
  do kept = thinRings(flat, holes, (distance *= 2));
  while (kept.vertices.length > maxVertices);
  const thinned = Float64Array.from(
    { length: kept.vertices.length * 2 },
    (_, i) => flat[kept.vertices[i >> 1]! * 2 + (i & 1)]!,
  );
  return earcut(thinned, kept.holes, 2).map((vertex) => kept.vertices[vertex]!);
}

/** The vertices of rings that are at least at a distance from the one before, and rings of three or more of them. */
function thinRings(flat: Float64Array, holes: readonly number[], distance: number) {
  const vertices: number[] = [];
  const starts: number[] = [];
  for (const [ring, start] of [0, ...holes].entries()) {
    const end = holes[ring] ?? flat.length / 2;
    const own: number[] = [];
    for (let i = start; i < end; i++) {
      const last = own.at(-1);
      const isFar =
        last === undefined ||
        Math.hypot(flat[i * 2]! - flat[last * 2]!, flat[i * 2 + 1]! - flat[last * 2 + 1]!) >= distance;
      if (isFar) own.push(i);
    }
    if (own.length < 3 && ring > 0) continue;
    if (ring > 0) starts.push(vertices.length);
    for (const vertex of own) vertices.push(vertex);
  }
  return { vertices, holes: starts };
}

/** Whether a ring of four positions turns to one side at each of them, in the plane of two axes. */
function isConvex(positions: ArrayLike<number>, u: number, v: number, isUp: boolean): boolean {
  for (let corner = 0; corner < 4; corner++) {
    const [a, b, c] = [corner * 3, ((corner + 1) & 3) * 3, ((corner + 2) & 3) * 3];
    const turn =
      (positions[b + u]! - positions[a + u]!) * (positions[c + v]! - positions[b + v]!) -
      (positions[c + u]! - positions[b + u]!) * (positions[b + v]! - positions[a + v]!);
    if (isUp ? turn <= 0 : turn >= 0) return false;
  }
  return true;
}

/** Divides a face of a model, in whatever unit: where it has no plane, as a fan. */
export function triangulateFace(positions: readonly number[]): readonly number[] {
  const count = positions.length / 3;
  const [x, y, z] = positions as [number, number, number];
  // relative, because far from the origin products lose what makes the plane
  const own = positions.map((value, i) => value - [x, y, z][i % 3]!);
  const normal = normalOf(own, count, 0);
  if (normal !== undefined) return triangulateRings(own, count, [], normal);
  return Array.from(
    { length: (count - 2) * 3 },
    (_, i) => [0, Math.floor(i / 3) + 1, Math.floor(i / 3) + 2][i % 3]!,
  );
}
