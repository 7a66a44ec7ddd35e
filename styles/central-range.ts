export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The range without the outermost 2 %, so that few outliers do not take up all colours; all of it if nothing else is left.
 * @returns undefined without values
 */
export function centralRange(values: readonly number[]): Range | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  if (sorted.length === 0) return undefined;
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)]!;
  return at(0.02) < at(0.98) ? { from: at(0.02), to: at(0.98) } : { from: at(0), to: at(1) };
}
