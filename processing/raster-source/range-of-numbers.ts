/** Share of the lowest and of the highest numbers that become black and white. */
const outliers = 0.02;

/** The numbers above and below which few of a sample are; zeros if it has none. */
export function rangeOfNumbers(found: readonly number[]): readonly [low: number, high: number] {
  const sorted = Float64Array.from(found).toSorted();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return [at(outliers), at(1 - outliers)];
}
