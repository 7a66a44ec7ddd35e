import type { PointSample } from './collect-points.ts';

const byteMax = 255;

/** The depth of a channel of colours, by the largest one; none of points without colours, or that are all black. */
export function colourBits({ colours }: PointSample): { readonly colourBits?: 8 | 16 } {
  const brightest = colours?.reduce((max, value) => Math.max(max, value), 0) ?? 0;
  return brightest === 0 ? {} : { colourBits: brightest > byteMax ? 16 : 8 };
}
