import { readFile } from 'node:fs/promises';
import type { Vertices } from './testing-clipping.ts';

/** Polygons as GeoJSON has them: longitudes and latitudes. */
export type LonLatPolygon = readonly (readonly (readonly [number, number])[])[];

interface Collection {
  readonly features: readonly {
    readonly geometry:
      | { readonly type: 'Polygon'; readonly coordinates: LonLatPolygon }
      | { readonly type: 'MultiPolygon'; readonly coordinates: readonly LonLatPolygon[] };
  }[];
}

/** The file's polygons on the world's square from 0 to 1, y downwards. */
export async function readWorldPolygons(path: string): Promise<Vertices[][]> {
  const { features } = JSON.parse(await readFile(path, 'utf8')) as Collection;
  return features
    .flatMap(({ geometry: { type, coordinates } }) => (type === 'Polygon' ? [coordinates] : coordinates))
    .map((polygon) => polygon.map((ring) => ring.map(toWorld)));
}

const lowest = 85.051_128_779_806_59;

function toWorld([lon, lat]: readonly [number, number]) {
  const sine = Math.sin((Math.max(-lowest, Math.min(lowest, lat)) * Math.PI) / 180);
  return { x: lon / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / 4 / Math.PI };
}

export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export function boxOf(ring: Vertices): Box {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const { x, y } of ring) {
    box.minX = Math.min(box.minX, x);
    box.minY = Math.min(box.minY, y);
    box.maxX = Math.max(box.maxX, x);
    box.maxY = Math.max(box.maxY, y);
  }
  return box;
}

export const areNear = (one: Box, other: Box): boolean =>
  one.minX <= other.maxX && one.maxX >= other.minX && one.minY <= other.maxY && one.maxY >= other.minY;

/** A square of samples: one byte each, 1 where something covers its centre. */
export interface Raster {
  readonly side: number;
  readonly cells: Uint8Array;
}

export const createRaster = (side: number): Raster => ({ side, cells: new Uint8Array(side * side) });

/** Covers every sample whose centre is within the polygon by the even-odd rule; one unit is one sample. */
export function cover({ side, cells }: Raster, polygon: readonly Vertices[]): void {
  const crossings: number[][] = [];
  for (const ring of polygon) {
    let before = ring.at(-1)!;
    for (const vertex of ring) {
      const [upper, lower] = before.y < vertex.y ? [before, vertex] : [vertex, before];
      const first = Math.max(0, Math.ceil(upper.y - 0.5));
      const slope = (lower.x - upper.x) / (lower.y - upper.y);
      for (let row = first; row < side && row + 0.5 < lower.y; row++) {
        (crossings[row] ??= []).push(upper.x + (row + 0.5 - upper.y) * slope);
      }
      before = vertex;
    }
  }
  for (const [row, xs = []] of crossings.entries()) {
    xs.sort((a, b) => a - b);
    for (let i = 0; i + 1 < xs.length; i += 2) {
      const from = Math.max(0, Math.ceil(xs[i]! - 0.5));
      const to = Math.min(side, Math.ceil(xs[i + 1]! - 0.5));
      if (from < to) cells.fill(1, row * side + from, row * side + to);
    }
  }
}

/** Covers every sample whose centre is no farther than `reach` samples from an edge. */
export function coverNear({ side, cells }: Raster, { ax, ay, bx, by }: Edge, reach: number): void {
  const first = Math.max(0, Math.floor(Math.min(ay, by) - reach));
  const last = Math.min(side - 1, Math.ceil(Math.max(ay, by) + reach));
  const left = Math.max(0, Math.floor(Math.min(ax, bx) - reach));
  const right = Math.min(side - 1, Math.ceil(Math.max(ax, bx) + reach));
  for (let row = first; row <= last; row++) {
    for (let column = left; column <= right; column++) {
      if (distanceToEdge(column + 0.5, row + 0.5, { ax, ay, bx, by }) <= reach)
        cells[row * side + column] = 1;
    }
  }
}

/** The boundary of the covered area: edges that occur in only one polygon of the set. */
export function outerEdges(polygons: readonly (readonly Vertices[])[]): Edge[] {
  const edges = new Map<string, Edge>();
  for (const ring of polygons.flat()) {
    let before = ring.at(-1)!;
    for (const vertex of ring) {
      const names = [`${before.x},${before.y}`, `${vertex.x},${vertex.y}`].toSorted();
      const name = names.join(' ');
      if (names[0] !== names[1] && !edges.delete(name)) {
        edges.set(name, { ax: before.x, ay: before.y, bx: vertex.x, by: vertex.y });
      }
      before = vertex;
    }
  }
  return [...edges.values()];
}

export interface Edge {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

function distanceToEdge(x: number, y: number, { ax, ay, bx, by }: Edge): number {
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / squared));
  return Math.hypot(ax + t * dx - x, ay + t * dy - y);
}

export const distanceToEdges = (x: number, y: number, edges: readonly Edge[]): number =>
  edges.reduce((nearest, edge) => Math.min(nearest, distanceToEdge(x, y, edge)), Infinity);
