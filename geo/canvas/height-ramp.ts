import type { Colour } from './colour.ts';

/** Colours of an atlas, from the lowest height to the highest. */
export const heightRamp: readonly Colour[] = [
  [84, 130, 102],
  [158, 180, 122],
  [222, 208, 156],
  [178, 138, 104],
  [245, 243, 240],
];
