import { grown } from '../../models/grown.ts';
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
  let bottom = Infinity;
  let highest = -Infinity;
  let eaves = Infinity;
  for (let i = 2; i < positions.length; i += 3) {
    const z = positions[i]!;
    if (z < bottom) bottom = z;
    if (z > highest) highest = z;
  }
  let weighted = 0;
  let area = 0;
  let index = 0;
  for (let face = 0; face < indexEnds.length; face++) {
    const end = indexEnds[face]!;
    // only those that look up
    if (normals[face * 3 + 2]! > 0.1)
      for (; index < end; index += 3) {
        const a = indices[index]! * 3;
        const b = indices[index + 1]! * 3;
        const c = indices[index + 2]! * 3;
        const x = positions[a]!;
        const y = positions[a + 1]!;
        const size = Math.abs(
          (positions[b]! - x) * (positions[c + 1]! - y) - (positions[c]! - x) * (positions[b + 1]! - y),
        );
        const [low, middle, high] = [positions[a + 2]!, positions[b + 2]!, positions[c + 2]!];
        weighted += (size * (low + middle + high)) / 3;
        area += size;
        eaves = Math.min(eaves, low, middle, high);
      }
    index = end;
  }
  const top = area > 0 ? weighted / area : highest;
  return { bottom, top, eaves: Math.min(eaves, top), highest };
}

/** Of each edge of an outline: x and y of its start, its direction, and the square of its length. */
const edgeNumbers = 5;
let edgeLines = new Float64Array(edgeNumbers * 64);

/** How far vertices are outside of the outline, seen from above. */
function overhang({ positions }: ShapeMesh, outline: Outline): number {
  const { triangles, edges } = outline;
  const step = Math.max(
    1,
    Math.ceil((positions.length * (edges.length / 2 + triangles.length)) / 3 / maxComparisons),
  );
  const lineEnd = takeEdges(outline);
  let farthest = 0;
  for (let i = 0; i < positions.length; i += 3 * step) {
    const x = positions[i]!;
    const y = positions[i + 1]!;
    let nearest = Infinity;
    for (let line = 0; line < lineEnd && nearest > farthest; line += edgeNumbers) {
      const square = squareToEdge(x, y, line);
      if (square < nearest) nearest = square;
    }
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
    const x = vertices[corner]!;
    const y = vertices[corner + 1]!;
    let nearest = Infinity;
    for (let i = 0; i < positions.length && nearest > farthest; i += stride * step) {
      const dx = positions[i]! - x;
      const dy = positions[i + 1]! - y;
      const square = dx * dx + dy * dy;
      if (square < nearest) nearest = square;
    }
    if (nearest > farthest) farthest = nearest;
  }
  return Math.sqrt(farthest);
}

/** @returns how many numbers there are */
function takeEdges({ vertices, edges }: Outline): number {
  edgeLines = grown(edgeLines, (edges.length / 2) * edgeNumbers);
  let line = 0;
  for (let edge = 0; edge < edges.length; edge += 2, line += edgeNumbers) {
    const from = edges[edge]! * 2;
    const to = edges[edge + 1]! * 2;
    const dx = vertices[to]! - vertices[from]!;
    const dy = vertices[to + 1]! - vertices[from + 1]!;
    edgeLines[line] = vertices[from]!;
    edgeLines[line + 1] = vertices[from + 1]!;
    edgeLines[line + 2] = dx;
    edgeLines[line + 3] = dy;
    edgeLines[line + 4] = dx * dx + dy * dy;
  }
  return line;
}

/** The square of the distance. @param line where the numbers of the edge are */
function squareToEdge(x: number, y: number, line: number): number {
  const fromX = x - edgeLines[line]!;
  const fromY = y - edgeLines[line + 1]!;
  const dx = edgeLines[line + 2]!;
  const dy = edgeLines[line + 3]!;
  const square = edgeLines[line + 4]!;
  let share = square > 0 ? (fromX * dx + fromY * dy) / square : 0;
  if (share < 0) share = 0;
  else if (share > 1) share = 1;
  const offX = fromX - dx * share;
  const offY = fromY - dy * share;
  return offX * offX + offY * offY;
}

function isInside(x: number, y: number, { vertices, triangles }: Outline): boolean {
  for (let i = 0; i < triangles.length; i += 3) {
    const a = triangles[i]! * 2;
    const b = triangles[i + 1]! * 2;
    const c = triangles[i + 2]! * 2;
    if (isLeftOf(x, y, vertices, a, b) && isLeftOf(x, y, vertices, b, c) && isLeftOf(x, y, vertices, c, a))
      return true;
  }
  return false;
}

/** Whether a place is to the left of a line, or on it. */
function isLeftOf(x: number, y: number, vertices: ArrayLike<number>, from: number, to: number): boolean {
  const startX = vertices[from]!;
  const startY = vertices[from + 1]!;
  return (vertices[to]! - startX) * (y - startY) - (vertices[to + 1]! - startY) * (x - startX) >= 0;
}
