import { convexHull } from '@platen/geo/shape/convex-hull';
import { surfaceRoles } from '@platen/formats/city-object/surface-roles';
import type { ShapeMesh, Outline } from './shape.ts';

const ground = surfaceRoles.indexOf('ground');
/** Metres to which vertices of neighbouring faces may differ. */
const tolerance = 0.005;
/** What keeps keys of places apart within 150 km: more than any ground. */
const keyColumns = 2 ** 26;

/** What the faces of an object that look down cover. Undefined if there are none. */
export function groundOutline({
  positions,
  indices,
  indexEnds,
  roles,
  normals,
}: ShapeMesh): Outline | undefined {
  const isGround = (face: number): boolean => roles[face] === ground && normals[face * 3 + 2]! < -0.5;
  const numbers = new Map<number, number>();
  const vertices: number[] = [];
  const numberOf = (vertex: number): number => {
    const x = positions[vertex * 3]!;
    const y = positions[vertex * 3 + 1]!;
    const key = Math.round(x / tolerance) * keyColumns + Math.round(y / tolerance);
    let number = numbers.get(key);
    if (number === undefined) {
      numbers.set(key, (number = vertices.length / 2));
      vertices.push(x, y);
    }
    return number;
  };
  const triangles: number[] = [];
  let index = 0;
  for (let face = 0; face < indexEnds.length; face++) {
    const end = indexEnds[face]!;
    // those of a ground look down: seen from above, they are turned
    if (isGround(face))
      for (let i = index; i < end; i += 3)
        triangles.push(numberOf(indices[i]!), numberOf(indices[i + 2]!), numberOf(indices[i + 1]!));
    index = end;
  }
  return triangles.length === 0
    ? undefined
    : { vertices, triangles, edges: borderOf(triangles, vertices.length / 2) };
}

/** Edges of one triangle only. @param count of vertices */
function borderOf(triangles: readonly number[], count: number): number[] {
  const edges = new Set<number>();
  for (let i = 0; i < triangles.length; i += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const [from, to] = [triangles[i + corner]!, triangles[i + ((corner + 1) % 3)]!];
      if (from === to) continue;
      if (!edges.delete(to * count + from)) edges.add(from * count + to);
    }
  }
  return [...edges].flatMap((edge) => [Math.floor(edge / count), edge % count]);
}

/**
 * The smallest rectangle around points, seen from above, by an edge of their convex hull (Freeman and Shapira 1975).
 * Undefined if they are on one line.
 * @param stride numbers of each point, of which the first two count
 */
export function rectangleAround(positions: ArrayLike<number>, stride: 2 | 3): Outline | undefined {
  const hull = convexHull(positions, stride);
  if (hull.length < 3) return undefined;
  const count = hull.length;
  let bestArea = Infinity;
  let best: number[] = [];
  for (let i = 0; i < count; i++) {
    const [x, y] = hull[i]!;
    const next = hull[i + 1 === count ? 0 : i + 1]!;
    const dx = next[0] - x;
    const dy = next[1] - y;
    const length = Math.sqrt(dx * dx + dy * dy);
    const ux = dx / length;
    const uy = dy / length;
    let low = Infinity;
    let high = -Infinity;
    let depth = 0;
    for (let k = 0; k < count; k++) {
      const point = hull[k]!;
      const px = point[0] - x;
      const py = point[1] - y;
      const along = px * ux + py * uy;
      const across = py * ux - px * uy;
      if (along < low) low = along;
      if (along > high) high = along;
      if (across > depth) depth = across;
    }
    const area = (high - low) * depth;
    if (area >= bestArea) continue;
    bestArea = area;
    best = [x, y, ux, uy, low, high, depth];
  }
  if (!(bestArea > 0 && bestArea < Infinity)) return undefined;
  const [x, y, ux, uy, low, high, depth] = best as [number, number, number, number, number, number, number];
  const corner = (along: number, across: number): number[] => [
    x + ux * along - uy * across,
    y + uy * along + ux * across,
  ];
  const vertices = [...corner(low, 0), ...corner(high, 0), ...corner(high, depth), ...corner(low, depth)];
  return { vertices, triangles: [0, 1, 2, 0, 2, 3], edges: [0, 1, 1, 2, 2, 3, 3, 0] };
}
