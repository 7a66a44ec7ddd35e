import { palettes } from '@platen/styles/palettes';

/** Ramps of one band, in the order in which they are offered: those of styles, grey, and that of an atlas. */
export const rampNames: readonly string[] = [
  'Viridis',
  'Terrain',
  'Grey',
  ...palettes
    .filter(({ kind, name }) => kind !== 'qualitative' && name !== 'Viridis')
    .map(({ name }) => name),
];

/** One of `rampNames`. */
export type RampName = string;
