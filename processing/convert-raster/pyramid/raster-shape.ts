import type { PixelMeaning } from '@platen/geo/raster/halve-pixels';
import { bytesPerSample, type SampleType } from '../../raster-source/sample-type.ts';

/** The image that is made, and the squares in which it is made. */
export interface RasterShape {
  readonly width: number;
  readonly height: number;
  /** Pixels a side of a block of the file. */
  readonly blockSide: number;
  /** Pixels a side of what is worked on at a time: one block, or several times two by two. */
  readonly unitSide: number;
  readonly meaning: PixelMeaning;
  /** The file has masks. */
  readonly hasMask: boolean;
  readonly sampleType: SampleType;
}

export function unitBytes(shape: RasterShape): number {
  const { unitSide, meaning, sampleType } = shape;
  return unitSide ** 2 * (meaning.bands * bytesPerSample(sampleType) + (isMasked(shape) ? 1 : 0));
}

/** Whether squares have a mask, or an alpha plane. */
export function isMasked({ hasMask, meaning }: RasterShape): boolean {
  return hasMask || meaning.hasAlphaPlane === true;
}

/** The image, or an overview of it. */
export interface Level {
  readonly width: number;
  readonly height: number;
  /** Units. */
  readonly columns: number;
  readonly rows: number;
}

/** The image, and overviews half as large each, down to one block. */
export function levelsOf({ width, height, blockSide, unitSide }: RasterShape): Level[] {
  const levels: Level[] = [];
  for (let side = 1; ; side *= 2) {
    const [w, h] = [Math.ceil(width / side), Math.ceil(height / side)];
    levels.push({ width: w, height: h, columns: Math.ceil(w / unitSide), rows: Math.ceil(h / unitSide) });
    if (Math.max(w, h) <= blockSide) return levels;
  }
}

export function blockColumns({ width }: Level, blockSide: number): number {
  return Math.ceil(width / blockSide);
}

export function blockCount(level: Level, blockSide: number): number {
  return blockColumns(level, blockSide) * Math.ceil(level.height / blockSide);
}
