import { copyPicture, createPicture } from '@platen/geo/canvas/picture';
import { thumbnailHeight, thumbnailWidth, viewOf } from '../../tile-style/thumbnail-view.ts';
import { encodePicture } from '../encode-picture.ts';
import { loadSharp } from '../load-sharp.ts';
import type { Drawn } from './draw-vector.ts';

const maxPixels = 4096 * 4096;
const maxTiles = 60;
const maxSeconds = 8;

/** Draws the tiles of a low zoom next to each other. @returns a data: URL; undefined if there is nothing to draw */
export async function drawRaster({ view, read, isOver }: Omit<Drawn, 'layers'>): Promise<string | undefined> {
  const sharp = await loadSharp();
  if (!sharp) return undefined;
  const { zoom, tiles, tilePixels } = viewOf(view);
  const picture = createPicture(thumbnailWidth, thumbnailHeight);
  let isSeen = false;
  for (const { x, y, left, top } of tiles.slice(0, maxTiles)) {
    const tile = isOver() ? undefined : await read(zoom, x, y);
    if (!tile?.length) continue;
    const side = Math.max(1, Math.ceil(tilePixels));
    const rgba = await sharp(tile, { limitInputPixels: maxPixels })
      .timeout({ seconds: maxSeconds })
      .resize({ width: side, height: side, fit: 'fill' })
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer()
      // A damaged tile leaves a hole.
      .catch(() => undefined);
    if (!rgba) continue;
    isSeen = true;
    copyPicture(picture, { rgba, width: side, height: side }, Math.floor(left), Math.floor(top));
  }
  return isSeen ? encodePicture(picture) : undefined;
}
