import type { AttributeValue } from '@platen/geo/mvt/attributes';
import { addHistogram, countNumber, createHistogram, type Histogram } from './histogram.ts';

export type FieldType = 'Number' | 'Boolean' | 'String';

/** Statistics of an attribute of a layer, for the archive's metadata. */
export interface AttributeStatistics {
  readonly name: string;
  /** Bits: 1 numbers, 2 booleans, 4 strings. */
  types: number;
  /** Number of values, one for each feature that has the attribute. */
  valueCount: number;
  /** The first distinct values; of each `maxValues` at most. */
  readonly values: Set<AttributeValue>;
  readonly maxValues: number;
  /** Whether there are texts that are too long to be kept. */
  hasLongTexts: boolean;
  min: number;
  max: number;
  /** Of its numbers; undefined where no values are kept. */
  readonly histogram: Histogram | undefined;
}

/** The limits of mapbox-geostats. */
export const maxAttributes = 1000;
const maxValues = 100;
const maxValueLength = 256;

/** @param keepsValues false for attributes beyond the limit, whose values would fill the memory */
export function createStatistics(name: string, keepsValues = true): AttributeStatistics {
  const limit = keepsValues ? maxValues : 0;
  const histogram = keepsValues ? createHistogram() : undefined;
  const [min, max] = [Infinity, -Infinity];
  const kept = { values: new Set<AttributeValue>(), maxValues: limit, hasLongTexts: false };
  return { name, types: 0, valueCount: 0, ...kept, min, max, histogram };
}

export function countValue(statistics: AttributeStatistics, value: AttributeValue): void {
  statistics.valueCount++;
  if (typeof value === 'number') {
    statistics.types |= 1;
    if (value < statistics.min) statistics.min = value;
    if (value > statistics.max) statistics.max = value;
    if (statistics.histogram && Number.isFinite(value)) countNumber(statistics.histogram, value);
  } else if (typeof value === 'boolean') statistics.types |= 2;
  else {
    statistics.types |= 4;
    if (value.length > maxValueLength) {
      statistics.hasLongTexts = true;
      return;
    }
  }
  if (statistics.values.size < statistics.maxValues) statistics.values.add(value);
}

/** Merges the statistics of further values. */
export function addStatistics(statistics: AttributeStatistics, further: AttributeStatistics): void {
  statistics.types |= further.types;
  statistics.valueCount += further.valueCount;
  statistics.hasLongTexts ||= further.hasLongTexts;
  statistics.min = Math.min(statistics.min, further.min);
  statistics.max = Math.max(statistics.max, further.max);
  if (statistics.histogram && further.histogram) addHistogram(statistics.histogram, further.histogram);
  for (const value of further.values) {
    if (statistics.values.size < statistics.maxValues) statistics.values.add(value);
  }
}

export function isMixed({ types }: AttributeStatistics): boolean {
  return (types & (types - 1)) !== 0;
}

/** The type in `vector_layers`; an attribute with several types is a string. */
export function fieldType({ types }: AttributeStatistics): FieldType {
  return types === 1 ? 'Number' : types === 2 ? 'Boolean' : 'String';
}
