import { cellsPerTile, verticesPerSide } from './tile-grid.ts';

/** The vertices and triangles of a tile, as quantized-mesh has them: u, v and heights from 0 to 32767. */
export interface TileMesh {
  readonly u: Uint16Array;
  readonly v: Uint16Array;
  readonly heights: Uint16Array;
  readonly triangles: ArrayLike<number>;
  readonly minHeight: number;
  readonly maxHeight: number;
}

const range = 32_767;
/** A grid vertex may lie this far outside of a triangle, in shares of it: coordinates are rounded. */
const tolerance = 1e-3;
/** A damaged tile may have millions of triangles that each cover all of it. */
const maxVisits = 4_000_000;

/**
 * The heights of a mesh at 65 × 65 vertices, row by row from the north; NaN where it has no triangle.
 * @returns undefined if its triangles overlap a thousand times
 */
export function gridOfMesh(mesh: TileMesh): Float32Array | undefined {
  const grid = new Float32Array(verticesPerSide * verticesPerSide).fill(NaN);
  const scale = cellsPerTile / range;
  const metres = (mesh.maxHeight - mesh.minHeight) / range;
  let visits = 0;
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const [a, b, c] = [mesh.triangles[i]!, mesh.triangles[i + 1]!, mesh.triangles[i + 2]!];
    const [ax, ay] = [mesh.u[a]! * scale, cellsPerTile - mesh.v[a]! * scale];
    const [bx, by] = [mesh.u[b]! * scale - ax, cellsPerTile - mesh.v[b]! * scale - ay];
    const [cx, cy] = [mesh.u[c]! * scale - ax, cellsPerTile - mesh.v[c]! * scale - ay];
    const area = bx * cy - by * cx;
    if (area === 0) continue;
    const lowest = mesh.minHeight + mesh.heights[a]! * metres;
    const [toB, toC] = [mesh.heights[b]! - mesh.heights[a]!, mesh.heights[c]! - mesh.heights[a]!];
    const lastRow = Math.min(cellsPerTile, Math.floor(ay + Math.max(0, by, cy) + tolerance));
    const lastColumn = Math.min(cellsPerTile, Math.floor(ax + Math.max(0, bx, cx) + tolerance));
    for (let row = Math.max(0, Math.ceil(ay + Math.min(0, by, cy) - tolerance)); row <= lastRow; row++) {
      const first = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx) - tolerance));
      visits += lastColumn - first + 1;
      for (let column = first; column <= lastColumn; column++) {
        const [x, y] = [column - ax, row - ay];
        const shareB = (x * cy - y * cx) / area;
        const shareC = (bx * y - by * x) / area;
        if (shareB < -tolerance || shareC < -tolerance || shareB + shareC > 1 + tolerance) continue;
        grid[row * verticesPerSide + column] = lowest + (shareB * toB + shareC * toC) * metres;
      }
    }
    if (visits > maxVisits) return undefined;
  }
  return grid;
}

/** The height between the vertices of a grid, bilinear. @param x, y cells from its north-western corner, 0 to 64 */
export function heightInGrid(grid: Float32Array, x: number, y: number): number {
  const [column, row] = [
    Math.min(cellsPerTile - 1, Math.floor(x)),
    Math.min(cellsPerTile - 1, Math.floor(y)),
  ];
  const [right, down] = [x - column, y - row];
  const at = row * verticesPerSide + column;
  const upper = grid[at]! + (grid[at + 1]! - grid[at]!) * right;
  const below = at + verticesPerSide;
  const lower = grid[below]! + (grid[below + 1]! - grid[below]!) * right;
  return upper + (lower - upper) * down;
}
