import type { RasterFacts } from '@platen/contract/inspect';
import { signedArea } from '@platen/geo/raster/sheet-coverage';
import { convexHull } from '@platen/geo/shape/convex-hull';
import type { Picture } from '@platen/geo/canvas/picture';
import type { Issues } from '../issues.ts';
import type { PixelSample } from './sample-pixels.ts';

// Turned and scanned sheets are often filled up to a rectangle with black, white, or a value that the file does not declare.

/** What of all pixels is a border. Less than that is not worth a word, more is the image itself. */
const [minShare, maxShare] = [0.005, 0.9];
/** What is left has no dents: of its convex hull, the share that it fills. */
const minConvexity = 0.97;
/** What each of red, green and blue may be off black or white, and what nearly all of a border are. */
const tolerance = 10;
const pureTolerance = 4;
const minPure = 0.95;

/** The colour of the border of an image of colours. */
export function findBorderColour({ width, height, rgba }: Picture): 'black' | 'white' | undefined {
  const isShown = (pixel: number): boolean => rgba[pixel * 4 + 3] !== 0;
  for (const colour of ['black', 'white'] as const) {
    const distanceOf = (pixel: number): number => {
      const [red, green, blue] = [rgba[pixel * 4]!, rgba[pixel * 4 + 1]!, rgba[pixel * 4 + 2]!];
      return colour === 'black' ? Math.max(red, green, blue) : 255 - Math.min(red, green, blue);
    };
    const isBorder = (pixel: number): boolean => distanceOf(pixel) <= tolerance;
    const found = borderOf({ width, height, isShown, isBorder });
    const pure = found?.filter((pixel) => distanceOf(pixel) <= pureTolerance).length ?? 0;
    if (found && pure >= found.length * minPure) return colour;
  }
  return undefined;
}

/** The value of the border of an image of numbers that are no colours: all bands have it. */
export function findBorderValue(
  { width, height, bands, values }: PixelSample,
  { noData, alphaBand }: { readonly noData: number | undefined; readonly alphaBand: number | undefined },
): number | undefined {
  const colours = Array.from({ length: bands }, (_, band) => band).filter((band) => band !== alphaBand);
  const first = colours[0] ?? 0;
  const isShown = (pixel: number): boolean => {
    const value = values[pixel * bands + first]!;
    const isHidden = alphaBand !== undefined && values[pixel * bands + alphaBand] === 0;
    return !isHidden && value !== noData && !Number.isNaN(value);
  };
  const corners = [0, width - 1, width * (height - 1), width * height - 1];
  for (const value of new Set(corners.filter(isShown).map((pixel) => values[pixel * bands + first]!))) {
    const isBorder = (pixel: number): boolean =>
      colours.every((band) => values[pixel * bands + band] === value);
    if (borderOf({ width, height, isShown, isBorder })) return value;
  }
  return undefined;
}

type BorderMask = NonNullable<RasterFacts['mask']>;

/** Hides a border of a colour, or of a value, and says so. */
export function maskOfBorder(
  border: 'black' | 'white' | number | undefined,
  noData: number | undefined,
  { file, issues }: { readonly file: string; readonly issues: Issues },
): BorderMask | undefined {
  if (border === undefined) return undefined;
  if (typeof border === 'string') {
    issues.add(
      'opaqueBorder',
      border === 'black'
        ? `${file} has a black border, but does not hide it. Tasks suggest to make it transparent (mask.collar).`
        : `${file} has a white border, but does not hide it. Tasks suggest to make it transparent (mask.collar).`,
    );
    return { collar: border };
  }
  issues.add(
    'opaqueBorder',
    `${file} has a border of the value ${border}, but does not hide it. Tasks suggest to make it transparent (mask.noData).`,
  );
  return { noData: noData === undefined ? [border] : [noData, border] };
}

interface BorderSearch {
  readonly width: number;
  readonly height: number;
  readonly isShown: (pixel: number) => boolean;
  readonly isBorder: (pixel: number) => boolean;
}

/** The shown pixels that a flood from the sides of the image reaches, if what it leaves is a sheet: one without dents. */
function borderOf({ width, height, isShown, isBorder }: BorderSearch): number[] | undefined {
  const isReached = new Uint8Array(width * height);
  const open: number[] = [];
  const reach = (x: number, y: number): void => {
    const pixel = y * width + x;
    if (x < 0 || y < 0 || x >= width || y >= height || isReached[pixel] === 1) return;
    if (isShown(pixel) && !isBorder(pixel)) return;
    isReached[pixel] = 1;
    open.push(pixel);
  };
  for (let x = 0; x < width; x++) for (const y of [0, height - 1]) reach(x, y);
  for (let y = 0; y < height; y++) for (const x of [0, width - 1]) reach(x, y);
  const found: number[] = [];
  for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
    if (isShown(pixel)) found.push(pixel);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    reach(x - 1, y);
    reach(x + 1, y);
    reach(x, y - 1);
    reach(x, y + 1);
  }
  const share = found.length / (width * height);
  return share >= minShare && share <= maxShare && isConvex(isReached, width, height) ? found : undefined;
}

/** Whether the pixels that are not reached fill their convex hull. */
function isConvex(isReached: Uint8Array, width: number, height: number): boolean {
  // corners of the first and the last pixel of each row are all that the hull depends on
  const positions: number[] = [];
  let left = 0;
  for (let y = 0; y < height; y++) {
    const row = isReached.subarray(y * width, (y + 1) * width);
    const [from, to] = [row.indexOf(0), row.lastIndexOf(0) + 1];
    if (from < 0) continue;
    positions.push(from, y, to, y, from, y + 1, to, y + 1);
    for (let x = from; x < to; x++) left += row[x] === 0 ? 1 : 0;
  }
  return left >= signedArea(convexHull(positions, 2).flat()) * minConvexity;
}
