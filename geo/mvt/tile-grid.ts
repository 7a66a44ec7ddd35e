import { coordinatesAt, zoomsAt } from '../shape/shape.ts';
import type { Words } from '../shape/words.ts';
import { worldBits } from '../tile/world-grid.ts';

/** The grid of one tile: where world units lie in it. */
export interface TileGrid {
  readonly extent: number;
  /** Tiles are cut at these, in tile units on both axes. */
  readonly low: number;
  readonly high: number;
  readonly maxZoom: number;
  zoom: number;
  /** Vertices that are first needed at higher zooms than this are left out. */
  detail: number;
  /** At the highest zoom nothing is simplified and nothing left out. */
  isHighest: boolean;
  /** World units per tile unit: 2 to the power of this. */
  shift: number;
  /** Tile units per world unit, and the same of areas. */
  scale: number;
  areaScale: number;
  originX: number;
  originY: number;
}

export interface TileGridOptions {
  /** A power of two. */
  readonly extent: number;
  /** In tile units. */
  readonly buffer: number;
  /** Here nothing is simplified and nothing left out. */
  readonly maxZoom: number;
}

export function createTileGrid({ extent, buffer, maxZoom }: TileGridOptions): TileGrid {
  const numbers = {
    zoom: 0,
    detail: 0,
    isHighest: false,
    shift: 0,
    scale: 1,
    areaScale: 1,
    originX: 0,
    originY: 0,
  };
  return { extent, low: -buffer, high: extent + buffer, maxZoom, ...numbers };
}

export function setTile(grid: TileGrid, z: number, x: number, y: number): void {
  grid.zoom = z;
  grid.isHighest = z === grid.maxZoom;
  setDetail(grid, z);
  grid.shift = worldBits - Math.log2(grid.extent) - z;
  grid.scale = 2 ** -grid.shift;
  grid.areaScale = grid.scale ** 2;
  grid.originX = x * grid.extent;
  grid.originY = y * grid.extent;
}

/** Chooses the zoom whose vertices are used. */
export function setDetail(grid: TileGrid, zoom: number): void {
  grid.detail = zoom >= grid.maxZoom ? 255 : zoom;
}

/** Vertices in tile units. */
export interface Vertices {
  xy: Float64Array;
  count: number;
  /** Whether all of them are inside the tile and its buffer. */
  isInside: boolean;
}

export function createVertices(): Vertices {
  return { xy: new Float64Array(8192), count: 0, isInside: true };
}

/** The vertices of a shape from `start` up to but without `end`. */
export interface Part {
  readonly shape: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Copies the vertices that the grid's detail needs, rounded to the grid, which is that of the whole zoom so that
 * neighbours agree; without repetitions.
 */
export function gather(
  vertices: Vertices,
  { words, bytes }: Words,
  { shape, start, end }: Part,
  { detail, shift, originX, originY, low, high }: TileGrid,
): void {
  if (vertices.xy.length < (end - start) * 2 + 2) vertices.xy = new Float64Array((end - start) * 4);
  const { xy } = vertices;
  const from = coordinatesAt(words, shape);
  const zooms = zoomsAt(words, shape);
  const half = shift === 0 ? 0 : 2 ** (shift - 1);
  let at = 0;
  let lastX = 0;
  let lastY = 0;
  let isInside = true;
  for (let i = start; i < end; i++) {
    if (bytes[zooms + i]! > detail) continue;
    const x = ((words[from + i * 2]! + half) >> shift) - originX;
    const y = ((words[from + i * 2 + 1]! + half) >> shift) - originY;
    if (x === lastX && y === lastY && at > 0) continue;
    if (x < low || x > high || y < low || y > high) isInside = false;
    xy[at++] = lastX = x;
    xy[at++] = lastY = y;
  }
  vertices.count = at >> 1;
  vertices.isInside = isInside;
}
