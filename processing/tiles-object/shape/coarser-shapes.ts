import { groundOutline, rectangleAround } from './outline.ts';
import { PrismRepresentation, trianglesOfPrism } from './prism.ts';
import { represent, type Representation, type ShapeMesh, type Outline, type Prism } from './shape.ts';

/** A coarser shape must have so much fewer triangles. */
const worthwhile = 0.7;
/** With fewer triangles, no other shape is worth while. */
const leastTriangles = 16;
/** Above that, the comparison of vertices with outlines would take too long. */
const maxComparisons = 400_000;

/** The object itself, a prism of its ground and a box, as far as each is much smaller than the one before. */
export function representationsOf(mesh: ShapeMesh, isConstruction: boolean): Representation[] {
  const all: Representation[] = [represent(0, mesh)];
  if (!isConstruction || all[0]!.triangles < leastTriangles) return all;
  const levels = levelsOf(mesh);
  for (const outline of [groundOutline(mesh), rectangleAround(mesh.positions, 3)]) {
    if (outline === undefined) continue;
    const { error: before, triangles } = all.at(-1)!;
    const prism = prismOf(outline, levels);
    if (trianglesOfPrism(prism) > triangles * worthwhile) continue;
    const off = Math.max(
      overhang(mesh, outline),
      gapOf(mesh.positions, 3, outline),
      levels.top - levels.eaves,
      levels.highest - levels.top,
    );
    all.push(new PrismRepresentation(Math.max(before, off), prism));
  }
  return all;
}

/** A prism, and a box as far as that is much smaller. */
export function representationsOfPrism(prism: Prism): Representation[] {
  const all: Representation[] = [new PrismRepresentation(0, prism)];
  const { triangles } = all[0]!;
  if (triangles < leastTriangles) return all;
  const outline = rectangleAround(prism.vertices, 2);
  if (outline === undefined) return all;
  const box = prismOf(outline, prism);
  if (trianglesOfPrism(box) > triangles * worthwhile) return all;
  return [...all, new PrismRepresentation(gapOf(prism.vertices, 2, outline), box)];
}

/** Nobody sees the bottom of a coarse shape. */
const prismOf = (
  { vertices, triangles, edges }: Outline,
  { bottom, top }: Pick<Levels, 'bottom' | 'top'>,
): Prism => ({ vertices, triangles, edges, bottom, top, hasGround: false, wallLook: -1, roofLook: -1 });

interface Levels {
  readonly bottom: number;
  /** Where the prism ends: the mean height of the faces that look up. */
  readonly top: number;
  /** The lowest vertex of those faces. */
  readonly eaves: number;
  readonly highest: number;
}

function levelsOf({ positions, indices, indexEnds, normals }: ShapeMesh): Levels {
  let [bottom, highest, eaves] = [Infinity, -Infinity, Infinity];
  for (let i = 2; i < positions.length; i += 3) {
    bottom = Math.min(bottom, positions[i]!);
    highest = Math.max(highest, positions[i]!);
  }
  let [weighted, area, index] = [0, 0, 0];
  for (let face = 0; face < indexEnds.length; face++) {
    const looksUp = normals[face * 3 + 2]! > 0.1;
    for (; index < indexEnds[face]!; index += 3) {
      if (!looksUp) continue;
      const [a, b, c] = [indices[index]! * 3, indices[index + 1]! * 3, indices[index + 2]! * 3];
      const size = Math.abs(
        (positions[b]! - positions[a]!) * (positions[c + 1]! - positions[a + 1]!) -
          (positions[c]! - positions[a]!) * (positions[b + 1]! - positions[a + 1]!),
      );
      weighted += (size * (positions[a + 2]! + positions[b + 2]! + positions[c + 2]!)) / 3;
      area += size;
      eaves = Math.min(eaves, positions[a + 2]!, positions[b + 2]!, positions[c + 2]!);
    }
  }
  const top = area > 0 ? weighted / area : highest;
  return { bottom, top, eaves: Math.min(eaves, top), highest };
}

/** How far vertices are outside of the outline, seen from above. */
function overhang({ positions }: ShapeMesh, outline: Outline): number {
  const { triangles, edges } = outline;
  const step = Math.max(
    1,
    Math.ceil((positions.length * (edges.length / 2 + triangles.length)) / 3 / maxComparisons),
  );
  let farthest = 0;
  for (let i = 0; i < positions.length; i += 3 * step) {
    const [x, y] = [positions[i]!, positions[i + 1]!];
    let nearest = Infinity;
    for (let edge = 0; edge < edges.length && nearest > farthest; edge += 2)
      nearest = Math.min(nearest, squareToEdge(x, y, outline, edge));
    if (nearest > farthest && !isInside(x, y, outline)) farthest = nearest;
  }
  return Math.sqrt(farthest);
}

/** How far corners of the outline are from the vertices of the object, seen from above. @param stride numbers of each vertex */
function gapOf(positions: ArrayLike<number>, stride: 2 | 3, { vertices }: Outline): number {
  let farthest = 0;
  const comparisons = (positions.length / stride) * (vertices.length / 2);
  const step = Math.max(1, Math.ceil(comparisons / maxComparisons));
  for (let corner = 0; corner < vertices.length; corner += 2) {
    const [x, y] = [vertices[corner]!, vertices[corner + 1]!];
    let nearest = Infinity;
    for (let i = 0; i < positions.length && nearest > farthest; i += stride * step)
      nearest = Math.min(nearest, (positions[i]! - x) ** 2 + (positions[i + 1]! - y) ** 2);
    farthest = Math.max(farthest, nearest);
  }
  return Math.sqrt(farthest);
}

/** The square of the distance. @param edge the first of its two numbers */
function squareToEdge(x: number, y: number, { vertices, edges }: Outline, edge: number): number {
  const [from, to] = [edges[edge]! * 2, edges[edge + 1]! * 2];
  const [ax, ay] = [vertices[from]!, vertices[from + 1]!];
  const [dx, dy] = [vertices[to]! - ax, vertices[to + 1]! - ay];
  const length = dx * dx + dy * dy;
  const share = length > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return (x - ax - dx * share) ** 2 + (y - ay - dy * share) ** 2;
}

function isInside(x: number, y: number, { vertices, triangles }: Outline): boolean {
  const side = (a: number, b: number): number =>
    (vertices[b * 2]! - vertices[a * 2]!) * (y - vertices[a * 2 + 1]!) -
    (vertices[b * 2 + 1]! - vertices[a * 2 + 1]!) * (x - vertices[a * 2]!);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!];
    if (side(a, b) >= 0 && side(b, c) >= 0 && side(c, a) >= 0) return true;
  }
  return false;
}
