import type { Canvas } from '@platen/geo/canvas/canvas';
import type { ReadRange } from '@platen/geo/pmtiles/read-archive';
import { tilePixels } from '../paint-world.ts';
import type { View } from '../view.ts';
import { drawFeatures } from './draw-features.ts';
import { collectFeatures, type PaintedFeatures, type PlacedFeature } from './painted-features.ts';
import { readTiles } from './read-tiles.ts';
import { painterOf } from './style-painter.ts';

/** A world map. */
export interface PaintedWorld {
  /** Of its pictures; its details cover them from there on. */
  readonly maxZoom: number;
  /** A style item of the map viewer. */
  readonly detailStyle: unknown;
}

/** Covers the pictures of the world where they would be blurred, as the map does. */
export async function paintWorldDetail(
  canvas: Canvas,
  view: Omit<View, 'mark'>,
  { maxZoom, detailStyle, read }: PaintedWorld & { readonly read: ReadRange },
): Promise<void> {
  if (view.worldPixels < tilePixels * 2 ** maxZoom) return;
  const painter = painterOf(detailStyle);
  /** Each kind of feature of a tile lies above those before it. */
  const layers: PaintedFeatures[] = [];
  let [last, rank] = [undefined as PlacedFeature | undefined, 0];
  await readTiles(read, view, (feature, positionCount, value) => {
    const isOfSameTile = feature.left === last?.left && feature.top === last.top;
    [last, rank] = [feature, isOfSameTile ? rank + 1 : 0];
    const layer = (layers[rank] ??= collectFeatures(painter));
    return layer.add(feature, positionCount, value);
  });
  for (const features of layers) drawFeatures(canvas, features);
}
