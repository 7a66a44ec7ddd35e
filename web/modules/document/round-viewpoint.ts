import type { Item } from './content.ts';

/** Meaningful decimals: a centimetre for positions, a thousandth for everything else. */
const decimals = (key: string) => (key.endsWith('Position') ? 7 : 3);

const round = (value: unknown, digits: number): unknown =>
  typeof value === 'number' ? Number(value.toFixed(digits)) : value;

/** A viewpoint from the map without floating-point noise. */
export const roundViewpoint = (viewpoint: Item): Item =>
  Object.fromEntries(
    Object.entries(viewpoint).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? (value as unknown[]).map((part, at) => round(part, at === 2 ? 3 : decimals(key)))
        : round(value, decimals(key)),
    ]),
  );
