/** A class of numbers. The outer classes are open: all numbers belong to one. */
export interface ClassBounds {
  /** Undefined for the first class. */
  readonly from?: number;
  /** The first number of the next class; undefined for the last one. */
  readonly to?: number;
}

/** Divides all numbers at the inner breaks. */
export function boundsOf(breaks: readonly number[]): ClassBounds[] {
  const inner = breaks.slice(1, -1);
  return Array.from({ length: inner.length + 1 }, (_, i) => ({
    ...(i > 0 && { from: inner[i - 1]! }),
    ...(i < inner.length && { to: inner[i]! }),
  }));
}
