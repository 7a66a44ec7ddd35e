import { copyPicture, createPicture, type Picture } from '@platen/geo/canvas/picture';
import { enlargePicture, type Crop } from '@platen/geo/canvas/resize-picture';
import { previewHeight, previewWidth, type View } from './view.ts';

/** Along the edge of a picture of the world. */
export const tilePixels = 256;

/** Tiles of the world as pictures. */
export interface WorldPictures {
  readonly maxZoom: number;
  /** undefined: there is none. */
  readonly find: (z: number, x: number, y: number) => Promise<Picture | undefined>;
}

/** The part of the world as our base layer shows it. @returns a picture of 1200 × 630 pixels */
export async function paintWorld(view: Omit<View, 'mark'>, world: WorldPictures) {
  const { mosaic, crop } = await collectTiles(view, world);
  return enlargePicture(mosaic, crop, previewWidth, previewHeight);
}

/** The tiles that the picture shows side by side, and which part of them it is. */
async function collectTiles(
  { worldPixels, left, top }: Omit<View, 'mark'>,
  world: WorldPictures,
): Promise<{ mosaic: Picture; crop: Crop }> {
  const zoom = Math.max(0, Math.min(world.maxZoom, Math.floor(Math.log2(worldPixels / tilePixels))));
  const side = 2 ** zoom;
  const step = (side * tilePixels) / worldPixels;
  const [fromX, fromY] = [-left * step, -top * step];
  // One more pixel on each side, as those at the edge are interpolated with their neighbours.
  const firstX = Math.floor((fromX - 1) / tilePixels);
  const firstY = Math.max(0, Math.floor((fromY - 1) / tilePixels));
  const lastX = Math.floor((fromX + previewWidth * step + 1) / tilePixels);
  const lastY = Math.min(side - 1, Math.floor((fromY + previewHeight * step + 1) / tilePixels));
  const mosaic = createPicture((lastX - firstX + 1) * tilePixels, (lastY - firstY + 1) * tilePixels);
  for (let y = firstY; y <= lastY; y++) {
    for (let x = firstX; x <= lastX; x++) {
      const tile = await world.find(zoom, ((x % side) + side) % side, y);
      if (!tile) throw new Error(`The base layer has no tile ${zoom}/${x}/${y}.`);
      copyPicture(mosaic, tile, (x - firstX) * tilePixels, (y - firstY) * tilePixels);
    }
  }
  return { mosaic, crop: { left: fromX - firstX * tilePixels, top: fromY - firstY * tilePixels, step } };
}
