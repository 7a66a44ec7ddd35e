import type { TerrainLayer } from '@platen/formats/quantized-mesh/layer-json';
import { meshRange, type QuantizedMesh } from '@platen/formats/quantized-mesh/read-mesh';
import type { Box } from '../box.ts';
import { drawRelief } from '../raster/draw-relief.ts';
import type { Picture } from '../thumbnail-url.ts';

const longest = 256;
const mostTiles = 24;
/** A damaged tile may have millions of triangles that each cover all of the picture. */
const mostPaintedPixels = 30e6;

interface Drawing {
  readonly layer: TerrainLayer;
  /** In degrees; undefined: the world. */
  readonly box: Box | undefined;
  readonly maxZoom: number;
  readonly read: (z: number, x: number, y: number) => Promise<QuantizedMesh | undefined>;
  readonly isOver: () => boolean;
}

/** The relief of the terrain from a few tiles of a low zoom; undefined where there are none. */
export async function drawTerrain({ box, maxZoom, read, isOver }: Drawing): Promise<Picture | undefined> {
  const [west, south, east, north] = box ?? [-180, -90, 180, 90];
  const span = Math.max(east - west, north - south);
  if (!(span > 0)) return undefined;
  const scale = (longest - 1) / span;
  const width = Math.max(1, Math.ceil((east - west) * scale));
  const height = Math.max(1, Math.ceil((north - south) * scale));
  const grid: Grid = { values: new Float64Array(width * height).fill(NaN), width, height, painted: 0 };
  const { values } = grid;
  const { z, columns, rows } = tilesFor([west, south, east, north], maxZoom);
  const degrees = 180 / 2 ** z;
  for (let x = columns[0]; x <= columns[1]; x++) {
    for (let y = rows[0]; y <= rows[1]; y++) {
      const mesh = isOver() ? undefined : await read(z, x, y);
      if (!mesh) continue;
      // pixels of the tile's north-western corner
      const left = (x * degrees - 180 - west) * scale;
      const top = (north - ((y + 1) * degrees - 90)) * scale;
      fillTile(grid, mesh, { left, top, side: degrees * scale });
    }
  }
  if (!values.some((value) => !Number.isNaN(value))) return undefined;
  return drawRelief({ width, height, bands: 1, values }, undefined);
}

/** The deepest zoom that takes few tiles. */
function tilesFor([west, south, east, north]: Box, maxZoom: number) {
  const at = (z: number) => {
    const degrees = 180 / 2 ** z;
    const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.floor(value / degrees)));
    return {
      z,
      columns: [within(west + 180, 2 ** (z + 1) - 1), within(east + 180 - 1e-9, 2 ** (z + 1) - 1)] as const,
      rows: [within(south + 90, 2 ** z - 1), within(north + 90 - 1e-9, 2 ** z - 1)] as const,
    };
  };
  let chosen = at(0);
  for (let z = 1; z <= Math.min(maxZoom, 22); z++) {
    const next = at(z);
    const count = (next.columns[1] - next.columns[0] + 1) * (next.rows[1] - next.rows[0] + 1);
    if (count > mostTiles) break;
    chosen = next;
  }
  return chosen;
}

interface Grid {
  readonly values: Float64Array;
  readonly width: number;
  readonly height: number;
  /** Pixels looked at so far. */
  painted: number;
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** Each triangle, its height in between. */
function fillTile(grid: Grid, mesh: QuantizedMesh, { left, top, side }: Place): void {
  const { u, v, heights, triangles, minHeight, maxHeight } = mesh;
  const corner = (i: number) => {
    const vertex = triangles[i]!;
    return {
      x: left + (u[vertex]! / meshRange) * side,
      y: top + (1 - v[vertex]! / meshRange) * side,
      height: minHeight + (heights[vertex]! / meshRange) * (maxHeight - minHeight),
    };
  };
  for (let i = 0; i < triangles.length; i += 3) fillTriangle(grid, corner(i), corner(i + 1), corner(i + 2));
}

interface Corner {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

function fillTriangle(grid: Grid, a: Corner, b: Corner, c: Corner): void {
  const { values, width, height } = grid;
  const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area === 0) return;
  const fromX = Math.max(0, Math.floor(Math.min(a.x, b.x, c.x)));
  const toX = Math.min(width - 1, Math.ceil(Math.max(a.x, b.x, c.x)));
  const fromY = Math.max(0, Math.floor(Math.min(a.y, b.y, c.y)));
  const toY = Math.min(height - 1, Math.ceil(Math.max(a.y, b.y, c.y)));
  grid.painted += Math.max(0, toX - fromX + 1) * Math.max(0, toY - fromY + 1);
  if (grid.painted > mostPaintedPixels) return;
  for (let y = fromY; y <= toY; y++) {
    for (let x = fromX; x <= toX; x++) {
      const second = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
      const third = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
      if (second < -1e-6 || third < -1e-6 || second + third > 1 + 1e-6) continue;
      values[y * width + x] = a.height + second * (b.height - a.height) + third * (c.height - a.height);
    }
  }
}
