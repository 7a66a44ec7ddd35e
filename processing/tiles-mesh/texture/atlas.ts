import { packShelves } from '../../models/texture/pack-shelves.ts';
import type { Atlas } from '../mesh/piece.ts';

/** Where an image is on a page: a position in it times `scale` plus `offset`, in shares of both. */
export interface AtlasPlace {
  readonly scale: readonly [u: number, v: number];
  readonly offset: readonly [u: number, v: number];
}

/** Images begin and end at multiples of it, so that the pixels of the next three levels are of one image each. */
const block = 8;
/** Pixels around an image that repeat its edge. */
const minBorder = 2;

export interface FramedImage {
  readonly image: Atlas;
  readonly left: number;
  readonly top: number;
}

/** Puts a border around an image that repeats its edges, so that sides are multiples of a block. */
export function frameImage({ width, height, rgba }: Atlas): FramedImage {
  const sideFor = (size: number): number => Math.ceil((size + 2 * minBorder) / block) * block;
  const image = { width: sideFor(width), height: sideFor(height), rgba: new Uint8Array(0) };
  const [left, top] = [(image.width - width) >> 1, (image.height - height) >> 1];
  const framed = new Uint8Array(image.width * image.height * 4);
  for (let y = 0; y < image.height; y++) {
    const row = Math.min(height - 1, Math.max(0, y - top)) * width;
    for (let x = 0; x < image.width; x++) {
      const from = (row + Math.min(width - 1, Math.max(0, x - left))) * 4;
      const to = (y * image.width + x) * 4;
      for (let band = 0; band < 4; band++) framed[to + band] = rgba[from + band]!;
    }
  }
  return { image: { ...image, rgba: framed }, left, top };
}

/** Images become smaller by this until they fit onto a page. */
const shrink = 0.9;

/** Puts images onto one page. @param scale of all of them @param maxSide of the page, in pixels */
export function packAtlas(
  images: readonly Atlas[],
  scale: number,
  maxSide: number,
): { readonly page: Atlas; readonly places: readonly AtlasPlace[] } {
  for (let own = scale; ; own *= shrink) {
    const sizes = images.map(({ width, height }) => ({
      width: Math.min(maxSide, Math.max(1, Math.round(width * own))),
      height: Math.min(maxSide, Math.max(1, Math.round(height * own))),
    }));
    const packed = packShelves(sizes, maxSide);
    if (packed.pages.length > 1) continue;
    const { width, height } = packed.pages[0] ?? { width: 1, height: 1 };
    const page = { width, height, rgba: new Uint8Array(width * height * 4) };
    const places = images.map((image, i): AtlasPlace => {
      const { left, top } = packed.places[i]!;
      drawResized(page, image, { ...sizes[i]!, left, top });
      return {
        scale: [sizes[i]!.width / width, sizes[i]!.height / height],
        offset: [left / width, top / height],
      };
    });
    return { page, places };
  }
}

interface Target {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Each pixel is the mean of those that it covers, of which transparent ones do not count. */
function drawResized(page: Atlas, image: Atlas, { left, top, width, height }: Target): void {
  const { rgba } = image;
  for (let y = 0; y < height; y++) {
    const [fromY, toY] = spanOf(y, height, image.height);
    for (let x = 0; x < width; x++) {
      const [fromX, toX] = spanOf(x, width, image.width);
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let row = fromY; row < toY; row++) {
        for (let column = fromX; column < toX; column++) {
          const at = (row * image.width + column) * 4;
          if (rgba[at + 3] === 0) continue;
          red += rgba[at]!;
          green += rgba[at + 1]!;
          blue += rgba[at + 2]!;
          alpha++;
        }
      }
      if (alpha === 0) continue;
      const to = ((top + y) * page.width + left + x) * 4;
      page.rgba[to] = Math.round(red / alpha);
      page.rgba[to + 1] = Math.round(green / alpha);
      page.rgba[to + 2] = Math.round(blue / alpha);
      page.rgba[to + 3] = 255;
    }
  }
}

function spanOf(index: number, count: number, size: number): readonly [from: number, to: number] {
  const from = Math.floor((index * size) / count);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * size) / count))];
}

/**
 * Fills transparent pixels with the colours around them, coarser the farther these are away (Gortler et al. 1996, push
 * and pull), so that filters of viewers find no seams. In place.
 */
export function fillGaps({ width, height, rgba }: Atlas): void {
  if (width === 1 && height === 1) {
    rgba[3] = 255;
    return;
  }
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const coarse: Atlas = { ...half, rgba: new Uint8Array(half.width * half.height * 4) };
  let gaps = 0;
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] === 0) gaps++;
  if (gaps === 0) return;
  drawResized(coarse, { width, height, rgba }, { left: 0, top: 0, ...half });
  fillGaps(coarse);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      if (rgba[at + 3] !== 0) continue;
      const [column, row] = [Math.floor((x * half.width) / width), Math.floor((y * half.height) / height)];
      const from = (row * half.width + column) * 4;
      for (let band = 0; band < 4; band++) rgba[at + band] = coarse.rgba[from + band]!;
    }
  }
}
