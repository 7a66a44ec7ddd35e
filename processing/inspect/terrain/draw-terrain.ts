import type { TerrainLayer } from '@platen/formats/quantized-mesh/layer-json';
import { meshRange, type QuantizedMesh } from '@platen/formats/quantized-mesh/read-mesh';
import { createDepthCanvas, fillSurface, type DepthCanvas } from '@platen/geo/canvas/depth-canvas';
import type { Picture } from '@platen/geo/canvas/picture';
import type { Box } from '../box.ts';
import { drawRelief } from '../../tile-style/draw-relief.ts';

const maxSide = 256;
const maxTiles = 24;
/** Visits of pixels and corners: a damaged tile may have millions of triangles that each cover the whole picture. */
const maxVisits = 30e6;

interface Drawing {
  readonly layer: TerrainLayer;
  /** In degrees; undefined means the world. */
  readonly box: Box | undefined;
  readonly maxZoom: number;
  readonly read: (z: number, x: number, y: number) => Promise<QuantizedMesh | undefined>;
  readonly isOver: () => boolean;
}

/** The relief of the terrain from a few tiles of a low zoom; undefined if there are none. */
export async function drawTerrain({ box, maxZoom, read, isOver }: Drawing): Promise<Picture | undefined> {
  const [west, south, east, north] = box ?? [-180, -90, 180, 90];
  const span = Math.max(east - west, north - south);
  if (!(span > 0)) return undefined;
  const scale = maxSide / span;
  const width = Math.max(1, Math.floor((east - west) * scale));
  const height = Math.max(1, Math.floor((north - south) * scale));
  const canvas = createDepthCanvas({ width, height }, maxVisits);
  const { z, columns, rows } = tilesFor([west, south, east, north], maxZoom);
  const degrees = 180 / 2 ** z;
  for (let x = columns[0]; x <= columns[1]; x++) {
    for (let y = rows[0]; y <= rows[1]; y++) {
      const mesh = isOver() ? undefined : await read(z, x, y);
      if (!mesh) continue;
      // The tile's north-western corner, in pixels.
      const left = (x * degrees - 180 - west) * scale;
      const top = (north - ((y + 1) * degrees - 90)) * scale;
      fillTile(canvas, mesh, { left, top, side: degrees * scale });
    }
  }
  const values = canvas.depth.map((value) => (value === -Infinity ? NaN : value));
  if (values.every(Number.isNaN)) return undefined;
  return drawRelief({ width, height, bands: 1, values }, undefined);
}

/** The deepest zoom that takes few tiles. */
function tilesFor([west, south, east, north]: Box, maxZoom: number) {
  const at = (z: number) => {
    const degrees = 180 / 2 ** z;
    const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.floor(value / degrees)));
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
    if (count > maxTiles) break;
    chosen = next;
  }
  return chosen;
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

const black = [0, 0, 0] as const;
/** Positions are rounded to this share of a pixel, so that tiles with a common border leave no gap. */
const subpixels = 256;

/** Fills each triangle with the heights between its corners. */
function fillTile(canvas: DepthCanvas, mesh: QuantizedMesh, { left, top, side }: Frame): void {
  const { u, v, heights, triangles, minHeight, maxHeight } = mesh;
  const points = new Float64Array(9);
  const triangle = { points, start: 0, ringEnds: [3] };
  for (let i = 0; i < triangles.length; i += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const vertex = triangles[i + corner]!;
      points[corner * 3] = snap(left + (u[vertex]! / meshRange) * side);
      points[corner * 3 + 1] = snap(top + (1 - v[vertex]! / meshRange) * side);
      points[corner * 3 + 2] = minHeight + (heights[vertex]! / meshRange) * (maxHeight - minHeight);
    }
    fillSurface(canvas, triangle, black);
  }
}

const snap = (pixels: number): number => Math.round(pixels * subpixels) / subpixels;
