import { shrinkPicture } from '@platen/geo/canvas/resize-picture';
import { blockAt, type HeightGrid } from '@platen/geo/terrain/height-grid';
import { requireImageCodec } from '../../kit/images/image-codec.ts';
import { layerOfZoom, layersOf, type PyramidShape } from '../../raster-source/zoom-layers.ts';
import { drawRelief } from '../../tile-style/draw-relief.ts';
import type { Pyramid } from '../pyramid/build-pyramid.ts';
import { openBlockStore } from '../pyramid/block-store.ts';
import { createFinalCells } from '../pyramid/final-cells.ts';

/** Cells a side, of the zoom that is drawn. */
const maxCells = 512;
const thumbnailSide = 400;
const cacheBytes = 16 << 20;

interface Drawing {
  readonly shape: PyramidShape;
  readonly pyramid: Pyramid;
  /** West, south, east, north in degrees. */
  readonly bbox: readonly [number, number, number, number];
  /** Cells of the base: wider holes stay. */
  readonly fillHoles: number;
}

/** Whether the thumbnail shows a zoom of the base, so that it needs cells of it. */
export function isDrawnFromBase(shape: PyramidShape, bbox: Drawing['bbox']): boolean {
  return zoomOf(shape, bbox) >= layersOf(shape)[0]!.rootZoom;
}

function zoomOf({ grid, baseZoom }: PyramidShape, bbox: Drawing['bbox']): number {
  let zoom = baseZoom;
  const fits = ({ width, height }: Window): boolean => Math.max(width, height) <= maxCells;
  while (zoom > 0 && !fits(windowOf(grid, zoom, bbox))) zoom--;
  return zoom;
}

/** Heights of a pyramid, as many as a thumbnail shows; NaN outside of the data. */
export interface Overview {
  readonly width: number;
  readonly height: number;
  /** Pixels are narrower than high by this factor. */
  readonly narrow: number;
  readonly values: Float32Array;
}

export function readOverview({ shape, pyramid, bbox, fillHoles }: Drawing): Overview {
  const { grid } = shape;
  const zoom = zoomOf(shape, bbox);
  const store = openBlockStore(shape, cacheBytes);
  const layers = layersOf(shape);
  const highest = layerOfZoom(layers, zoom).rootZoom;
  for (const [key, { unit, range }] of pyramid.units)
    if (unit.z <= highest && range !== undefined) store.know([[key, range]]);
  const cells = createFinalCells({ shape, store, fillHoles, cacheBytes });
  const { left, top, width, height } = windowOf(grid, zoom, bbox);
  const values = new Float32Array(width * height).fill(NaN);
  const { side } = grid;
  for (let y = Math.floor(top / side); y * side < top + height; y++) {
    for (let x = Math.floor(left / side); x * side < left + width; x++) {
      const block = cells.filled({ z: zoom, x, y }, 0);
      const from = Math.max(left, x * side);
      const to = Math.min(left + width, (x + 1) * side);
      for (let row = Math.max(top, y * side); row < Math.min(top + height, (y + 1) * side); row++) {
        const start = (row - y * side) * side + from - x * side;
        values.set(block.subarray(start, start + to - from), (row - top) * width + from - left);
      }
    }
  }
  const narrow = grid.kind === 'geographic' ? Math.cos(((bbox[1] + bbox[3]) / 2) * (Math.PI / 180)) : 1;
  return { width, height, narrow, values };
}

/** The lowest and the highest height, to a decimetre. */
export function rangeOf({ values }: Overview): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [Number(low.toFixed(1)), Number(high.toFixed(1))];
}

/** A PNG of them as a shaded relief, transparent outside of the data. */
export async function drawThumbnail({ width, height, narrow, values }: Overview): Promise<Uint8Array> {
  const relief = drawRelief({ width, height, bands: 1, values }, undefined);
  const picture = shrinkPicture(relief, Math.max(1, Math.round(width * narrow)), height);
  const { rgba: samples } = picture;
  const codec = await requireImageCodec();
  return codec.encode({ ...picture, bands: 4, samples }, { format: 'png', maxSide: thumbnailSide });
}

interface Window {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The cells of a zoom that touch a box of degrees. */
function windowOf(grid: HeightGrid, zoom: number, [west, south, east, north]: Drawing['bbox']): Window {
  const first = blockAt(grid, zoom, [west, north]);
  const last = blockAt(grid, zoom, [east, south]);
  const [left, top] = [Math.floor(first.x * grid.side), Math.floor(first.y * grid.side)];
  return {
    left,
    top,
    width: Math.max(1, Math.ceil(last.x * grid.side) - left),
    height: Math.max(1, Math.ceil(last.y * grid.side) - top),
  };
}
