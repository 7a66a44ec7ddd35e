import { styleDefaults } from './style-defaults.ts';

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

/** Fewer colours than classes repeat the last one. */
export const colourAt = (colours: readonly string[], i: number): string =>
  colours[Math.min(i, colours.length - 1)] ?? styleDefaults.colour;

/** Fewer sizes than classes repeat the last one. */
export const sizeAt = (sizes: readonly number[], i: number): number =>
  sizes[Math.min(i, sizes.length - 1)] ?? styleDefaults.pointSize;
