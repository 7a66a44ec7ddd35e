import type { Picture } from '../thumbnail-url.ts';
import { colourAt } from '../raster/draw-relief.ts';
import type { SeenPoints } from './collect-points.ts';

type Colour = readonly [red: number, green: number, blue: number];

const side = 256;
/** Of pixels that hold points when each is drawn as one: with fewer, each becomes larger. */
const wantedShare = 0.35;
const largestSpot = 3;

/** The points from above, the highest over the others, in their colours, greys of intensity, or by height. */
export function drawPoints({ count, places, colours, intensities }: SeenPoints): Picture | undefined {
  if (count === 0) return undefined;
  const [west, east] = rangeOf(places, 0);
  const [south, north] = rangeOf(places, 1);
  const span = Math.max(east - west, north - south);
  if (!Number.isFinite(span)) return undefined;
  const scale = span > 0 ? (side - 1) / span : 1;
  const width = Math.max(1, Math.ceil((east - west) * scale) + 1);
  const height = Math.max(1, Math.ceil((north - south) * scale) + 1);
  const colourOf = colourist({ count, places, colours, intensities });
  const top = new Float64Array(width * height).fill(-Infinity);
  const rgba = new Uint8ClampedArray(width * height * 4);
  const filled = (count / (width * height)) * 0.5;
  const spot = Math.min(largestSpot, Math.max(0, Math.round(Math.sqrt(wantedShare / filled) / 2)));
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!];
    if (x < west || x > east || y < south || y > north) continue;
    const column = Math.floor((x - west) * scale);
    const row = Math.floor((north - y) * scale);
    const colour = colourOf(i);
    for (let v = Math.max(0, row - spot); v <= Math.min(height - 1, row + spot); v++) {
      for (let u = Math.max(0, column - spot); u <= Math.min(width - 1, column + spot); u++) {
        const pixel = v * width + u;
        if (top[pixel]! >= z) continue;
        top[pixel] = z;
        rgba.set(colour, pixel * 4);
        rgba[pixel * 4 + 3] = 255;
      }
    }
  }
  return { width, height, rgba };
}

const fewest = 0.001;

/** Without the few that lie far away, mostly birds and errors. */
function rangeOf(places: Float64Array, axis: number): [number, number] {
  const values = new Float64Array(places.length / 3);
  for (let i = 0; i < values.length; i++) values[i] = places[i * 3 + axis]!;
  return tails(values, fewest);
}

function tails(values: Float64Array | Uint16Array, share: number): [number, number] {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length * share);
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0];
}

const darkest = 40;

function colourist({ places, colours, intensities }: Omit<SeenPoints, 'classes'>): (point: number) => Colour {
  const brightest = colours?.reduce((most, value) => Math.max(most, value), 0) ?? 0;
  if (colours && brightest > 0) {
    // 16 bits by the standard, 8 by many writers
    const factor = brightest > 255 ? 1 / 257 : 1;
    return (i) => [colours[i * 3]! * factor, colours[i * 3 + 1]! * factor, colours[i * 3 + 2]! * factor];
  }
  const [dim, bright] = tails(intensities, 0.02);
  if (bright > dim) {
    return (i) => {
      const grey = darkest + ((intensities[i]! - dim) / (bright - dim)) * (255 - darkest);
      return [grey, grey, grey];
    };
  }
  const [low, high] = rangeOf(places, 2);
  return (i) => colourAt((places[i * 3 + 2]! - low) / (high - low || 1));
}
