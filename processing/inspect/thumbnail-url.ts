import { writePng } from '@platen/formats/png/write-png';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha, row by row from the top; not premultiplied. */
  readonly rgba: Uint8Array | Uint8ClampedArray;
}

/** Pixels along the longer side, as `InspectionReport` allows. */
export const longestSide = 256;
const longestUrl = 120_000;

/** A picture of any size as a data: URL of a PNG of at most 256 pixels a side; undefined where that is too long. */
export function thumbnailUrl(picture: Picture): string | undefined {
  const { width, height, rgba } = shrink(picture);
  return dataUrl(writePng(rgba, width, height), 'image/png');
}

/** undefined where it is longer than a report allows. */
export function dataUrl(image: Uint8Array, type: 'image/png' | 'image/webp'): string | undefined {
  const url = `data:${type};base64,${Buffer.from(image).toString('base64')}`;
  return url.length <= longestUrl ? url : undefined;
}

/** Each pixel is the mean of those that it covers. */
function shrink(picture: Picture): Picture {
  const scale = Math.max(picture.width, picture.height) / longestSide;
  if (scale <= 1) return picture;
  const width = Math.max(1, Math.round(picture.width / scale));
  const height = Math.max(1, Math.round(picture.height / scale));
  const rgba = new Uint8ClampedArray(width * height * 4);
  const columns = spans(picture.width, width);
  const rows = spans(picture.height, height);
  for (const [y, row] of rows.entries())
    for (const [x, column] of columns.entries()) {
      const sums = [0, 0, 0, 0];
      for (const [fromY, weightY] of row)
        for (const [fromX, weightX] of column) {
          const at = (fromY * picture.width + fromX) * 4;
          for (let i = 0; i < 4; i++) sums[i]! += picture.rgba[at + i]! * weightX * weightY;
        }
      for (let i = 0; i < 4; i++) rgba[(y * width + x) * 4 + i] = sums[i]!;
    }
  return { width, height, rgba };
}

/** Which pixels of a long row each pixel of a short one covers, and how much each counts. */
function spans(long: number, short: number): (readonly [pixel: number, weight: number])[][] {
  const each = long / short;
  return Array.from({ length: short }, (_, i) => {
    const covered: [number, number][] = [];
    for (let pixel = Math.floor(i * each); pixel < Math.min(long, (i + 1) * each); pixel++) {
      const share = Math.min(pixel + 1, (i + 1) * each) - Math.max(pixel, i * each);
      if (share > 0) covered.push([pixel, share / each]);
    }
    return covered;
  });
}
