/** Outer classes are open; they end as far away as the next class is wide. */
export function withEnds(limits: readonly number[]): number[] {
  const [first, second] = [limits[0]!, limits[1]];
  const last = limits.at(-1)!;
  const before = second === undefined ? Math.abs(first) || 1 : second - first;
  const after = second === undefined ? Math.abs(last) || 1 : last - limits.at(-2)!;
  return [finite(first - before), ...limits, finite(last + after)];
}

function finite(limit: number): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, limit));
}
