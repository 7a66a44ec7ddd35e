import { fixed, fixedPlaces, type PlaceRun, type Warp } from './place-run.ts';
import { sumInBytes, weighPixels } from './weigh-pixels.ts';

/** Of a run inside the image, each pixel by a kernel whose weights are bytes. */
export function weighRun({ target, source, image }: Warp, start: number, run: PlaceRun): void {
  const { window, kernel } = image;
  const words = { pixels: source, width: window.width, height: window.height };
  const places = fixedPlaces(run, window);
  const { across, down } = places;
  let { x, y } = places;
  for (let i = start; i < start + run.length; i++, x = (x + across) | 0, y = (y + down) | 0) {
    if (target[i]! >>> 24 !== 0) continue;
    const nearest = source[Math.imul((y + fixed / 2) >> 16, window.width) + ((x + fixed / 2) >> 16)]!;
    if (nearest >>> 24 === 0) continue;
    const sum = sumInBytes(words, kernel!, x, y);
    target[i] = sum === 0 ? weighPixels(words, kernel!, { x: x / fixed, y: y / fixed, nearest }) : sum;
  }
}
