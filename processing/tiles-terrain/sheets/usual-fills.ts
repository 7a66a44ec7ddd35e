/** Values that stand for no data, whether a file says so or not. */
const usualFills: ReadonlySet<number> = new Set([-9999, -32_768, -32_767, 32_767, -99_999]);
/** Metres: no ground is lower or higher. */
const lowest = -12_000;
const highest = 9500;

/** Whether a height is one that no ground has: a fill, or a spike of a sensor. @param value as given, `metres` of it */
export function isSpike(value: number, metres: number): boolean {
  // most heights, without a look at the set
  if (value > -9000 && value < 9000 && metres > -9000 && metres < 9000) return false;
  return usualFills.has(value) || !(metres >= lowest && metres <= highest);
}
