import type { Colour } from './colour.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of each pixel, row by row from the top; not premultiplied. */
  readonly rgba: Uint8Array | Uint8ClampedArray;
}

/** A picture of one colour; transparent without a background. */
export function createPicture(width: number, height: number, background?: Colour) {
  const rgba = new Uint8ClampedArray(width * height * 4);
  if (background) {
    const [pixel] = new Uint32Array(Uint8ClampedArray.of(...background, 255).buffer);
    new Uint32Array(rgba.buffer).fill(pixel!);
  }
  return { width, height, rgba };
}

/** Replaces the pixels of `target` from `left`, `top` (integers, may be outside) by those of `source`. */
export function copyPicture(target: Picture, source: Picture, left: number, top: number): void {
  const from = Math.max(0, -left);
  const to = Math.min(source.width, target.width - left);
  if (to <= from) return;
  for (let row = Math.max(0, -top); row < Math.min(source.height, target.height - top); row++) {
    const line = source.rgba.subarray((row * source.width + from) * 4, (row * source.width + to) * 4);
    target.rgba.set(line, ((top + row) * target.width + left + from) * 4);
  }
}
