/**
 * A histogram of any numbers in bounded memory. Values are exact while they are few; then their lowest binary digits
 * are dropped, one more whenever there are too many. The result depends neither on the order of values nor on how they
 * were divided among threads. Plain data, as it is sent between threads.
 */
export interface Histogram {
  /** Counts by value, truncated towards zero. */
  bins: Map<number, number>;
  /** How many of the lowest digits of a 64-bit float are dropped. */
  droppedBits: number;
}

const maxBins = 1024;

export const createHistogram = (): Histogram => ({ bins: new Map(), droppedBits: 0 });

/** @param value finite */
export function countNumber(histogram: Histogram, value: number): void {
  count(histogram, value, 1);
}

/** Adds the counts of further values. */
export function addHistogram(histogram: Histogram, further: Histogram): void {
  if (further.droppedBits > histogram.droppedBits) drop(histogram, further.droppedBits);
  for (const [value, times] of further.bins) count(histogram, value, times);
}

/**
 * Evenly spaced quantiles, from the lowest to the highest value.
 * @param number how many; at least 2
 * @returns empty without values
 */
export function quantilesOf({ bins }: Histogram, number: number): number[] {
  const sorted = [...bins].toSorted(([one], [other]) => one - other);
  const last = sorted.reduce((sum, [, times]) => sum + times, 0) - 1;
  if (last < 0) return [];
  let at = 0;
  let ranks = sorted[0]![1];
  return Array.from({ length: number }, (_, i) => {
    const rank = Math.round((i * last) / (number - 1));
    while (rank >= ranks) ranks += sorted[++at]![1];
    return sorted[at]![0];
  });
}

function count(histogram: Histogram, value: number, times: number): void {
  const { bins } = histogram;
  const bin = truncate(value, histogram.droppedBits);
  bins.set(bin, (bins.get(bin) ?? 0) + times);
  while (histogram.bins.size > maxBins) drop(histogram, histogram.droppedBits + 1);
}

function drop(histogram: Histogram, droppedBits: number): void {
  const before = histogram.bins;
  histogram.droppedBits = droppedBits;
  histogram.bins = new Map();
  for (const [value, times] of before) {
    const bin = truncate(value, droppedBits);
    histogram.bins.set(bin, (histogram.bins.get(bin) ?? 0) + times);
  }
}

const float = new Float64Array(1);
/** The lower and the upper half of `float`: all platforms of Node are little-endian. */
const halves = new Int32Array(float.buffer);

function truncate(value: number, droppedBits: number): number {
  if (droppedBits === 0) return value;
  float[0] = value;
  halves[0] = droppedBits >= 32 ? 0 : halves[0]! & (~0 << droppedBits);
  if (droppedBits > 32) halves[1] = halves[1]! & (~0 << (droppedBits - 32));
  return float[0];
}
