import { phases } from './kernels.ts';
import type { PixelWords, WarpKernel } from './weigh-pixels.ts';

/**
 * The colour that has most of what a pixel covers; of equally many that of the pixel in its middle, or else the first one.
 * @param x from the middle of the first pixel; likewise `y`
 * @param nearest the pixel in which the place lies, which is shown
 */
export function pickMode(
  { pixels, width, height }: PixelWords,
  { across, down }: WarpKernel,
  { x, y, nearest }: { readonly x: number; readonly y: number; readonly nearest: number },
): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const columnWeights = Math.round((x - left) * phases) * across.count;
  const rowWeights = Math.round((y - top) * phases) * down.count;
  const colours: number[] = [nearest];
  const shares: number[] = [0];
  for (let j = 0; j < down.count; j++) {
    const row = top - down.count / 2 + 1 + j;
    const rowWeight = down.weights[rowWeights + j]!;
    if (row < 0 || row >= height || rowWeight === 0) continue;
    for (let i = 0; i < across.count; i++) {
      const column = left - across.count / 2 + 1 + i;
      const weight = across.weights[columnWeights + i]! * rowWeight;
      if (column < 0 || column >= width || weight === 0) continue;
      const word = pixels[row * width + column]!;
      if (word >>> 24 === 0) continue;
      const known = colours.indexOf(word);
      if (known >= 0) shares[known]! += weight;
      else {
        colours.push(word);
        shares.push(weight);
      }
    }
  }
  let best = 0;
  // sums of the same parts differ by rounding
  for (let i = 1; i < colours.length; i++) if (shares[i]! > shares[best]! + 1e-9) best = i;
  return colours[best]!;
}
