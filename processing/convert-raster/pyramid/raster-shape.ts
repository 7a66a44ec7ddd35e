import type { PixelMeaning, PixelSamples } from '@platen/geo/raster/halve-pixels';

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
  /** They are made of alpha when a unit is packed; until then there is no mask. */
  readonly masksFromAlpha?: boolean;
  readonly sampleType: SampleType;
}

const arrays = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

export type SampleType = keyof typeof arrays;

export function isSampleType(name: string): name is SampleType {
  return Object.hasOwn(arrays, name);
}

/** Numbers in a buffer, or zeros. */
export function samplesOf(type: SampleType, from: number | ArrayBuffer): PixelSamples {
  return typeof from === 'number' ? new arrays[type](from) : new arrays[type](from);
}

export function unitBytes({ unitSide, meaning, hasMask, sampleType }: RasterShape): number {
  return unitSide ** 2 * (meaning.bands * arrays[sampleType].BYTES_PER_ELEMENT + (hasMask ? 1 : 0));
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
