import { coordinatesAt, lineType, pointType, shapeHeaderWords, type ShapeType } from '../shape/shape.ts';
import type { Int32Buffer } from '../shape/int32-buffer.ts';
import { createLineEncoder } from './line-encoder.ts';
import { createCommandWriter, writePoints, beginGeometry, type CommandWriter } from './command-writer.ts';
import { createPolygonEncoder, type PolygonOptions } from './polygon-encoder.ts';
import { createTileGrid, createVertices, setTile, type TileGridOptions } from './tile-grid.ts';

export interface GeometryOptions extends TileGridOptions, PolygonOptions {
  /** Below the highest zoom, lines shorter than this many tile units are dust; with 0, all are drawn. */
  readonly dustLength: number;
}

export interface GeometryEncoder {
  /** Polygons of this tile that were made valid, and those left invalid because repair would take too long. */
  readonly repaired: number;
  readonly unrepaired: number;
  begin(z: number, x: number, y: number): void;
  /** The commands that draw the shape, valid until the next call; undefined if none of it is in the tile. */
  encode(store: Int32Buffer, shape: number, type: ShapeType): CommandWriter | undefined;
}

/**
 * Encodes shapes as geometry of one tile: the vertices that the zoom needs, rounded to the grid of the whole zoom
 * (which neighbours share), and clipped at the tile's edge plus buffer.
 */
export function createGeometryEncoder(options: GeometryOptions): GeometryEncoder {
  const grid = createTileGrid(options);
  const commands = createCommandWriter();
  const lines = createLineEncoder(grid, commands, options.dustLength);
  const polygons = createPolygonEncoder(grid, commands, options);
  const points = createVertices();

  const encodePoints = ({ words }: Int32Buffer, shape: number): void => {
    const { shift, originX, originY, low, high } = grid;
    const from = coordinatesAt(words, shape);
    const end = from + words[shape + 6]! * 2;
    if (points.xy.length < end - from) points.xy = new Float64Array((end - from) * 2);
    let to = 0;
    for (let at = from; at < end; at += 2) {
      // Rounded down, so that a point belongs to exactly one tile, apart from buffers.
      const x = (words[at]! >> shift) - originX;
      const y = (words[at + 1]! >> shift) - originY;
      if (x < low || x >= high || y < low || y >= high) continue;
      points.xy[to++] = x;
      points.xy[to++] = y;
    }
    if (to > 0) writePoints(commands, points.xy, to / 2);
  };
  const encodeRings = (store: Int32Buffer, shape: number, type: ShapeType): void => {
    const { words } = store;
    const rings = words[shape + 5]!;
    let start = 0;
    let ring = 0;
    while (ring < rings) {
      const first = ring++;
      if (type === lineType) {
        const end = words[shape + shapeHeaderWords + first * 2]! >> 1;
        lines.encode(store, first, { shape, start, end });
        start = end;
      } else {
        while (ring < rings && (words[shape + shapeHeaderWords + ring * 2]! & 1) === 0) ring++;
        polygons.encode(store, shape, first, ring);
      }
    }
  };

  return {
    get repaired() {
      return polygons.repaired;
    },
    get unrepaired() {
      return polygons.unrepaired;
    },
    begin(z, x, y) {
      setTile(grid, z, x, y);
      lines.begin();
      polygons.begin();
    },
    encode(store, shape, type) {
      beginGeometry(commands);
      if (type === pointType) encodePoints(store, shape);
      else encodeRings(store, shape, type);
      return commands.length > 0 ? commands : undefined;
    },
  };
}
