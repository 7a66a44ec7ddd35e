import { numbersOf, type Tiff } from './read-tiff.ts';
import type { TiffImage } from './read-image.ts';
import { tag } from './tags.ts';

/** How YCbCr that is not JPEG becomes RGB (TIFF 6, section 21). */
export interface YCbCrForm {
  /** Pixels that share one Cb and Cr: 1, 2 or 4. */
  readonly across: number;
  readonly down: number;
  /** Shares of red, green and blue in Y. */
  readonly luma: readonly [red: number, green: number, blue: number];
  /** The numbers that mean none and all of Y, Cb and Cr. */
  readonly reference: readonly number[];
}

const bt601 = [0.299, 0.587, 0.114] as const;
const fullRange = [0, 255, 128, 255, 128, 255];

/** @throws BytesError */
export async function readYCbCrForm(tiff: Tiff, { directory }: TiffImage): Promise<YCbCrForm> {
  const valuesOf = (name: number, count: number) => numbersOf(tiff, directory, name, { count });
  const [across = 2, down = 2] = await valuesOf(tag.yCbCrSubsampling, 2);
  const luma = await valuesOf(tag.yCbCrCoefficients, 3);
  const reference = await valuesOf(tag.referenceBlackWhite, 6);
  const isSound = luma.length === 3 && luma.every((share) => share > 0 && share < 1);
  return {
    across: [1, 2, 4].includes(across) ? across : 2,
    down: [1, 2, 4].includes(down) ? down : 2,
    luma: isSound ? (luma as unknown as [number, number, number]) : bt601,
    reference: reference.length === 6 && reference.every(Number.isFinite) ? [...reference] : fullRange,
  };
}

interface BlockSize {
  readonly width: number;
  readonly rows: number;
}

/** In bytes. */
export function yCbCrBytes({ width, rows }: BlockSize, { across, down }: YCbCrForm): number {
  return Math.ceil(width / across) * Math.ceil(rows / down) * (across * down + 2);
}

/** RGB of a block of units, each of which has its Ys row by row, then Cb and Cr. */
export function yCbCrToRgb(raw: Uint8Array, { width, rows }: BlockSize, form: YCbCrForm): Uint8Array {
  const { across, down, luma, reference } = form;
  const [red, green, blue] = luma;
  const rgb = new Uint8ClampedArray(width * rows * 3);
  const columns = Math.ceil(width / across);
  const unitBytes = across * down + 2;
  const scaled = (value: number, at: number, range: number): number => {
    const [black, white] = [reference[at]!, reference[at + 1]!];
    return ((value - black) * range) / (white - black || 1);
  };
  for (let y = 0, to = 0; y < rows; y++) {
    const unitRow = Math.floor(y / down) * columns;
    const inUnit = (y % down) * across;
    for (let x = 0; x < width; x++, to += 3) {
      const unit = (unitRow + Math.floor(x / across)) * unitBytes;
      const luminance = scaled(raw[unit + inUnit + (x % across)]!, 0, 255);
      const cb = scaled(raw[unit + unitBytes - 2]!, 2, 127);
      const cr = scaled(raw[unit + unitBytes - 1]!, 4, 127);
      const r = luminance + cr * (2 - 2 * red);
      const b = luminance + cb * (2 - 2 * blue);
      rgb[to] = r;
      rgb[to + 1] = (luminance - red * r - blue * b) / green;
      rgb[to + 2] = b;
    }
  }
  return new Uint8Array(rgb.buffer);
}
