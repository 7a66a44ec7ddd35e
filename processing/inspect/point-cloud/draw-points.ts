import { rampColour, type Colour } from '@platen/geo/canvas/colour';
import { createDepthCanvas, drawSpot } from '@platen/geo/canvas/depth-canvas';
import type { Picture } from '@platen/geo/canvas/picture';
import { trimmedRange } from '@platen/geo/canvas/trimmed-range';
import { heightRamp } from '@platen/geo/canvas/height-ramp';
import type { PointSample } from './collect-points.ts';

const side = 256;
/** Share of pixels that show a point; where points are fewer, each is drawn larger. */
const targetShare = 0.35;
const maxReach = 3;

/** Draws the points from above, the highest on top, in their colours, by intensity, or by height. */
export function drawPoints({ count, places, colours, intensities }: PointSample): Picture | undefined {
  if (count === 0) return undefined;
  const [west, east] = rangeOf(places, 0);
  const [south, north] = rangeOf(places, 1);
  const span = Math.max(east - west, north - south);
  if (!Number.isFinite(span)) return undefined;
  const scale = span > 0 ? (side - 1) / span : 1;
  const width = Math.max(1, Math.ceil((east - west) * scale) + 1);
  const height = Math.max(1, Math.ceil((north - south) * scale) + 1);
  const colourOf = colourist({ count, places, colours, intensities });
  const canvas = createDepthCanvas({ width, height });
  const filled = (count / (width * height)) * 0.5;
  const reach = Math.min(maxReach, Math.max(0, Math.round(Math.sqrt(targetShare / filled) / 2)));
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!];
    if (x < west || x > east || y < south || y > north) continue;
    const column = Math.floor((x - west) * scale);
    const row = Math.floor((north - y) * scale);
    drawSpot(canvas, { column, row, reach, nearness: z }, colourOf(i));
  }
  return canvas;
}

/** Range of one axis, without the few points far away, which are mostly birds and errors. */
function rangeOf(places: Float64Array, axis: number): [number, number] {
  const values = new Float64Array(places.length / 3);
  for (let i = 0; i < values.length; i++) values[i] = places[i * 3 + axis]!;
  return trimmedRange(values, 0.001);
}

const darkest = 40;

function colourist({
  places,
  colours,
  intensities,
}: Omit<PointSample, 'classes'>): (point: number) => Colour {
  const brightest = colours?.reduce((max, value) => Math.max(max, value), 0) ?? 0;
  if (colours && brightest > 0) {
    // 16 bits by the standard, 8 by many writers
    const factor = brightest > 255 ? 1 / 257 : 1;
    return (i) => [colours[i * 3]! * factor, colours[i * 3 + 1]! * factor, colours[i * 3 + 2]! * factor];
  }
  const [dim, bright] = trimmedRange(intensities, 0.02);
  if (bright > dim) {
    return (i) => {
      const grey = darkest + ((intensities[i]! - dim) / (bright - dim)) * (255 - darkest);
      return [grey, grey, grey];
    };
  }
  const [low, high] = rangeOf(places, 2);
  return (i) => rampColour(heightRamp, (places[i * 3 + 2]! - low) / (high - low || 1));
}
