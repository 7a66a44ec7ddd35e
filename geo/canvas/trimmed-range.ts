/**
 * The range of values without outliers: `share` of them is cut off at each end (0.02 leaves out 2 % twice).
 * @param values without NaN; [0, 0] if there are none
 */
export function trimmedRange(values: ArrayLike<number>, share: number): [low: number, high: number] {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length * share);
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0];
}
