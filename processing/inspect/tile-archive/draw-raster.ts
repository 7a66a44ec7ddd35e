import { thumbnailHeight, thumbnailWidth, viewOf } from '../../tile-style/thumbnail-view.ts';
import { encodePicture } from '../encode-picture.ts';
import { loadSharp } from '../load-sharp.ts';
import type { Drawn } from './draw-vector.ts';

const mostPixels = 4096 * 4096;
const mostTiles = 60;

/** The tiles of a low zoom beside each other. @returns a data: URL; undefined where there is nothing to see */
export async function drawRaster({ view, read, isOver }: Omit<Drawn, 'layers'>): Promise<string | undefined> {
  const sharp = await loadSharp();
  if (!sharp) return undefined;
  const { zoom, tiles, tilePixels } = viewOf(view);
  const rgba = new Uint8ClampedArray(thumbnailWidth * thumbnailHeight * 4);
  let isSeen = false;
  for (const { x, y, left, top } of tiles.slice(0, mostTiles)) {
    const tile = isOver() ? undefined : await read(zoom, x, y);
    if (!tile?.length) continue;
    const side = Math.max(1, Math.ceil(tilePixels));
    const pixels = await sharp(tile, { limitInputPixels: mostPixels })
      .resize({ width: side, height: side, fit: 'fill' })
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer()
      // a damaged tile leaves a hole
      .catch(() => undefined);
    if (!pixels) continue;
    isSeen = true;
    paste(rgba, pixels, { left: Math.floor(left), top: Math.floor(top), side });
  }
  return isSeen ? encodePicture({ rgba, width: thumbnailWidth, height: thumbnailHeight }) : undefined;
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

function paste(rgba: Uint8ClampedArray, tile: Uint8Array, { left, top, side }: Place): void {
  const from = Math.max(0, -left);
  const to = Math.min(side, thumbnailWidth - left);
  if (to <= from) return;
  for (let row = Math.max(0, -top); row < Math.min(side, thumbnailHeight - top); row++) {
    const line = tile.subarray((row * side + from) * 4, (row * side + to) * 4);
    rgba.set(line, ((top + row) * thumbnailWidth + left + from) * 4);
  }
}
