import { coordinatesAt, lineType, pointType, shapeHead, type ShapeType } from '../shape/shape.ts';
import type { Words } from '../shape/words.ts';
import { createLineEncoder } from './line-encoder.ts';
import { createPen, drawPoints, liftPen, type Pen } from './pen.ts';
import { createPolygonEncoder, type PolygonOptions } from './polygon-encoder.ts';
import { createTileGrid, createVertices, setTile, type TileGridOptions } from './tile-grid.ts';

export interface GeometryOptions extends TileGridOptions, PolygonOptions {
  /** Below the highest zoom, lines shorter than this many tile units are dust; 0: each is drawn, however short. */
  readonly dustLength: number;
}

export interface GeometryEncoder {
  /** In this tile: polygons that were made valid, and those that are drawn as they are, as it would take too long. */
  readonly mended: number;
  readonly unmended: number;
  begin(z: number, x: number, y: number): void;
  /** What draws the shape, valid until the next call; undefined if nothing of it is in the tile. */
  encode(store: Words, shape: number, type: ShapeType): Pen | undefined;
}

/**
 * Turns shapes into the geometry of one tile: the vertices that the zoom needs, rounded to the grid of the
 * whole zoom (so that neighbours share it), and cut at the tile's edge plus buffer.
 */
export function createGeometryEncoder(options: GeometryOptions): GeometryEncoder {
  const grid = createTileGrid(options);
  const pen = createPen();
  const lines = createLineEncoder(grid, pen, options.dustLength);
  const polygons = createPolygonEncoder(grid, pen, options);
  const points = createVertices();

  const encodePoints = ({ words }: Words, shape: number): void => {
    const { shift, originX, originY, low, high } = grid;
    const from = coordinatesAt(words, shape);
    const end = from + words[shape + 6]! * 2;
    if (points.xy.length < end - from) points.xy = new Float64Array((end - from) * 2);
    let to = 0;
    for (let at = from; at < end; at += 2) {
      // Rounded down, so that a point is in the tile it lies in and in no other but through the buffer.
      const x = (words[at]! >> shift) - originX;
      const y = (words[at + 1]! >> shift) - originY;
      if (x < low || x >= high || y < low || y >= high) continue;
      points.xy[to++] = x;
      points.xy[to++] = y;
    }
    if (to > 0) drawPoints(pen, points.xy, to / 2);
  };
  const encodeRings = (store: Words, shape: number, type: ShapeType): void => {
    const { words } = store;
    const rings = words[shape + 5]!;
    let start = 0;
    let ring = 0;
    while (ring < rings) {
      const first = ring++;
      if (type === lineType) {
        const end = words[shape + shapeHead + first * 2]! >> 1;
        lines.encode(store, first, { shape, start, end });
        start = end;
      } else {
        while (ring < rings && (words[shape + shapeHead + ring * 2]! & 1) === 0) ring++;
        polygons.encode(store, shape, first, ring);
      }
    }
  };

  return {
    get mended() {
      return polygons.mended;
    },
    get unmended() {
      return polygons.unmended;
    },
    begin(z, x, y) {
      setTile(grid, z, x, y);
      lines.begin();
      polygons.begin();
    },
    encode(store, shape, type) {
      liftPen(pen);
      if (type === pointType) encodePoints(store, shape);
      else encodeRings(store, shape, type);
      return pen.length > 0 ? pen : undefined;
    },
  };
}
