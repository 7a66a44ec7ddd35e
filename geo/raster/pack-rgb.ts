/**
 * Writes red, green and blue of words of RGBA, of which there is a multiple of four: by words, as bytes take three times as long.
 * @param rgb as many words as `rgba` has pixels, less a quarter
 * @returns whether all pixels are opaque
 */
export function packRgb(rgba: Int32Array, rgb: Int32Array): boolean {
  let all = -1;
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const a = rgba[from]!;
    const b = rgba[from + 1]!;
    const c = rgba[from + 2]!;
    const d = rgba[from + 3]!;
    all &= a & b & c & d;
    rgb[to] = (a & 0xff_ffff) | (b << 24);
    rgb[to + 1] = ((b >>> 8) & 0xffff) | (c << 16);
    rgb[to + 2] = ((c >>> 16) & 0xff) | (d << 8);
  }
  return all >>> 24 === 255;
}

/** Writes words of RGBA that are all opaque, by words of red, green and blue. */
export function unpackRgb(rgb: Int32Array, rgba: Int32Array): void {
  const opaque = 255 << 24;
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    const a = rgb[from]!;
    const b = rgb[from + 1]!;
    const c = rgb[from + 2]!;
    rgba[to] = a | opaque;
    rgba[to + 1] = (a >>> 24) | (b << 8) | opaque;
    rgba[to + 2] = (b >>> 16) | (c << 16) | opaque;
    rgba[to + 3] = (c >>> 8) | opaque;
  }
}
