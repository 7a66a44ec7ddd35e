import { copyPicture, createPicture } from '@platen/geo/canvas/picture';
import { thumbnailHeight, thumbnailWidth, viewOf } from '../../tile-style/thumbnail-view.ts';
import { openImageCodec } from '../../kit/images/image-codec.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Drawn } from './draw-vector.ts';

const maxPixels = 4096 * 4096;
const maxTiles = 60;
const maxSeconds = 8;

/** Draws the tiles of a low zoom next to each other. @returns a data: URL; undefined if there is nothing to draw */
export async function drawRaster({ view, read, isOver }: Omit<Drawn, 'layers'>): Promise<string | undefined> {
  const codec = await openImageCodec();
  if (!codec) return undefined;
  const { zoom, tiles, tilePixels } = viewOf(view);
  const picture = createPicture(thumbnailWidth, thumbnailHeight);
  let isSeen = false;
  for (const { x, y, left, top } of tiles.slice(0, maxTiles)) {
    const tile = isOver() ? undefined : await read(zoom, x, y);
    if (!tile?.length) continue;
    const side = Math.max(1, Math.ceil(tilePixels));
    const resize = { width: side, height: side, fit: 'fill' } as const;
    // A damaged tile leaves a hole.
    const image = await codec
      .decode(tile, { bands: 4, resize, maxPixels, maxSeconds })
      .catch(() => undefined);
    if (!image) continue;
    isSeen = true;
    const { width, height, samples } = image;
    copyPicture(picture, { rgba: samples as Uint8Array, width, height }, Math.floor(left), Math.floor(top));
  }
  return isSeen ? encodePicture(picture) : undefined;
}
