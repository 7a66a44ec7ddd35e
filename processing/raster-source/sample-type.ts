import type { PixelSamples } from '@platen/geo/raster/halve-pixels';

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

export function bytesPerSample(type: SampleType): number {
  return arrays[type].BYTES_PER_ELEMENT;
}
