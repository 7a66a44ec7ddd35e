export type HeightEncoding = 'terrarium' | 'mapbox';

/** The lowest height that each encoding holds, and its steps, in metres. */
const encodings = {
  terrarium: { lowest: -32_768, step: 1 / 256 },
  mapbox: { lowest: -10_000, step: 0.1 },
} as const;

/** Terrarium has steps of 4 mm; whole decimetres compress better, and no source is more exact over large areas. */
const rounding = 0.1;

/** Heights as red, green and blue. All have values. */
export function encodeHeights(heights: Float32Array, encoding: HeightEncoding): Uint8Array {
  const { lowest, step } = encodings[encoding];
  const rgb = new Uint8Array(heights.length * 3);
  for (let i = 0, at = 0; i < heights.length; i++, at += 3) {
    const rounded = Math.round(heights[i]! / rounding) * rounding;
    const code = Math.min(0xff_ff_ff, Math.max(0, Math.round((rounded - lowest) / step)));
    rgb[at] = code >> 16;
    rgb[at + 1] = (code >> 8) & 0xff;
    rgb[at + 2] = code & 0xff;
  }
  return rgb;
}
