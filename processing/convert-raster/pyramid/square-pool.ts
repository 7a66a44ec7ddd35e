import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { samplesOf } from '../../raster-source/sample-type.ts';
import { isMasked, type RasterShape } from './raster-shape.ts';

/** Squares that are used again: fresh memory takes as long as the work, and stays with the process. */
export interface SquarePool {
  /** A square without data. */
  readonly take: TakeSquare;
  /** Nobody uses the square any more. */
  release(square: PixelSquare): void;
}

export type TakeSquare = () => PixelSquare;

/** What is kept, while fewer squares are needed than before. */
const maxFree = 8;

export function createSquarePool(shape: RasterShape): SquarePool {
  const free: PixelSquare[] = [];
  return {
    take() {
      const square = free.pop();
      return square ? clear(square, shape) : emptySquare(shape);
    },
    release(square) {
      if (free.length < maxFree) free.push(square);
    },
  };
}

export function emptySquare(shape: RasterShape): PixelSquare {
  const { unitSide, meaning, sampleType } = shape;
  const samples = samplesOf(sampleType, unitSide ** 2 * meaning.bands);
  if (meaning.noData !== undefined) samples.fill(meaning.noData);
  return { samples, ...(isMasked(shape) && { mask: new Uint8Array(unitSide ** 2) }) };
}

function clear(square: PixelSquare, { meaning }: RasterShape): PixelSquare {
  // below an alpha of 0, colours mean nothing
  if (!meaning.hasAlphaPlane) square.samples.fill(meaning.noData ?? 0);
  square.mask?.fill(0);
  return square;
}
