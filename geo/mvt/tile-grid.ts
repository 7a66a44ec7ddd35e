import { coordinatesAt, zoomsAt } from '../shape/shape.ts';
import type { Int32Buffer } from '../shape/int32-buffer.ts';
import { worldBits } from '../tile/world-grid.ts';

/** Maps world units to the grid of one tile. */
export interface TileGrid {
  readonly extent: number;
  /** Clip lines of both axes, in tile units. */
  readonly low: number;
  readonly high: number;
  readonly maxZoom: number;
  zoom: number;
  /** Vertices first needed at higher zooms are left out. */
  detail: number;
  /** Nothing is simplified or left out. */
  isHighest: boolean;
  /** log2 of the world units per tile unit. */
  shift: number;
  /** Tile units per world unit, and the same for areas. */
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
  /** At this zoom nothing is simplified or left out. */
  readonly maxZoom: number;
}

export function createTileGrid({ extent, buffer, maxZoom }: TileGridOptions): TileGrid {
  const initial = {
    zoom: 0,
    detail: 0,
    isHighest: false,
    shift: 0,
    scale: 1,
    areaScale: 1,
    originX: 0,
    originY: 0,
  };
  return { extent, low: -buffer, high: extent + buffer, maxZoom, ...initial };
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

/** Selects the zoom whose vertices are used. */
export function setDetail(grid: TileGrid, zoom: number): void {
  grid.detail = zoom >= grid.maxZoom ? 255 : zoom;
}

/** Vertices in tile units. */
export interface Vertices {
  xy: Float64Array;
  count: number;
  /** All are inside the tile and its buffer. */
  isInside: boolean;
}

export function createVertices(): Vertices {
  return { xy: new Float64Array(8192), count: 0, isInside: true };
}

/** Vertices of a shape; `end` is exclusive. */
export interface Part {
  readonly shape: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Copies the vertices that the detail needs, without repetitions, rounded to the grid of the whole zoom, so that
 * neighbours agree.
 */
export function gather(
  vertices: Vertices,
  { words, bytes }: Int32Buffer,
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
