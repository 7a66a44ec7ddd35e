import { windowSide } from './vertex-heights.ts';

/** Numbers from 0 to 1 that are the same at every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Rough heights without an end: waves of all lengths, in metres. */
export function roughHeights(seed: number, size = 400): (column: number, row: number) => number {
  const random = seededRandom(seed);
  const waves = Array.from({ length: 12 }, (_, i) => ({
    x: (random() - 0.5) * 2 ** (i / 2 - 3),
    y: (random() - 0.5) * 2 ** (i / 2 - 3),
    phase: random() * 7,
    height: size * 0.65 ** i,
  }));
  return (column, row) =>
    waves.reduce((sum, { x, y, phase, height }) => sum + height * Math.sin(column * x + row * y + phase), 0);
}

/** The cells of a tile and one more on every side. */
export function windowOf(
  heightAt: (column: number, row: number) => number,
  { x, y }: { readonly x: number; readonly y: number },
): Float32Array {
  const cells = new Float32Array(windowSide * windowSide);
  for (let i = 0; i < cells.length; i++)
    cells[i] = heightAt(x * 64 + (i % windowSide) - 1, y * 64 + Math.floor(i / windowSide) - 1);
  return cells;
}

/** Calls back with every vertex of the grid within a triangle, and the height of the triangle there. */
export function eachVertexOfMesh(
  { vertices, triangles }: { readonly vertices: Uint16Array; readonly triangles: Uint16Array },
  heights: Float64Array,
  onVertex: (vertex: number, height: number) => void,
): void {
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [0, 1, 2].map((corner) => vertices[triangles[i + corner]!]!);
    const [ax, bx, cx] = corners.map((vertex) => vertex % 65) as [number, number, number];
    const [ay, by, cy] = corners.map((vertex) => Math.floor(vertex / 65)) as [number, number, number];
    const [a, b, c] = corners.map((vertex) => heights[vertex]!) as [number, number, number];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    for (let y = Math.min(ay, by, cy); y <= Math.max(ay, by, cy); y++) {
      for (let x = Math.min(ax, bx, cx); x <= Math.max(ax, bx, cx); x++) {
        const toB = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area;
        const toC = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area;
        if (toB >= 0 && toC >= 0 && toB + toC <= 1) onVertex(y * 65 + x, a + (b - a) * toB + (c - a) * toC);
      }
    }
  }
}
