/** Per cent of the lowest and of the highest numbers that become black and white. */
const usualPercent = 2;

/** The numbers above and below which few of a sample are; zeros if it has none. */
export function rangeOfNumbers(
  found: readonly number[],
  percent = usualPercent,
): readonly [low: number, high: number] {
  const sorted = Float64Array.from(found).toSorted();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return [at(percent / 100), at(1 - percent / 100)];
}
