import { rampColour } from '@platen/geo/canvas/colour';
import { heightRamp } from '@platen/geo/canvas/height-ramp';
import { createPicture, type Picture } from '@platen/geo/canvas/picture';
import { trimmedRange } from '@platen/geo/canvas/trimmed-range';

/** Heights row by row from the north, of each pixel the first of its `bands`. */
export interface Heights {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly values: ArrayLike<number>;
}

/** The amount by which slopes darken or lighten, whatever the units of heights and pixels. */
const contrast = 0.35;

/** Heights in the colours of an atlas, lit from the north-west; transparent where there is no data or no number. */
export function drawRelief(sample: Heights, noData: number | undefined): Picture {
  const { width, height, bands, values } = sample;
  const picture = createPicture(width, height);
  const { rgba } = picture;
  const heightAt = (x: number, y: number) =>
    values[(Math.min(height - 1, y) * width + Math.min(width - 1, x)) * bands]!;
  const heights = Float64Array.from({ length: width * height }, (_, i) => values[i * bands]!);
  const known = heights.filter((value) => !isNothing(value, noData) && Number.isFinite(value));
  const [low, high] = trimmedRange(known, 0.01);
  const steepness = typicalStep(heights, width, noData) || 1;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const value = heights[i]!;
      if (isNothing(value, noData)) continue;
      const next = heightAt(x + 1, y + 1);
      const slope = isNothing(next, noData) ? 0 : (value - next) / steepness;
      const light = 1 + contrast * Math.tanh(-slope / 2);
      const colour = rampColour(heightRamp, (value - low) / (high - low || 1));
      for (let band = 0; band < 3; band++) rgba[i * 4 + band] = colour[band]! * light;
      rgba[i * 4 + 3] = 255;
    }
  }
  return picture;
}

export function isNothing(value: number, noData: number | undefined): boolean {
  return Number.isNaN(value) || value === noData;
}

function typicalStep(heights: Float64Array, width: number, noData: number | undefined): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i + width + 1 < heights.length; i += 7) {
    const [one, other] = [heights[i]!, heights[i + width + 1]!];
    if (isNothing(one, noData) || isNothing(other, noData)) continue;
    sum += Math.abs(one - other);
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
