import { sampleArrays, type SampleArray } from '@platen/formats/geotiff/block-samples';
import type { PixelSamples } from '@platen/geo/raster/halve-pixels';

export type SampleType = SampleArray;

/** Numbers in a buffer, or zeros. */
export function samplesOf(type: SampleType, from: number | ArrayBuffer): PixelSamples {
  return typeof from === 'number' ? new sampleArrays[type](from) : new sampleArrays[type](from);
}

export function bytesPerSample(type: SampleType): number {
  return sampleArrays[type].BYTES_PER_ELEMENT;
}
