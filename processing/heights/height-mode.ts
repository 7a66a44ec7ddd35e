import type { HeightOptions } from './height-options.ts';

/** How data are placed on the globe. */
export type HeightMode = 'ellipsoid' | 'asGiven' | 'flat' | 'terrain';

/** How the heights of files are to be understood in a mode: only those at their true height need to know what they count from. */
export function heightsFor(mode: HeightMode, options: HeightOptions): HeightOptions {
  return mode === 'ellipsoid' ? options : { ...options, vertical: 'ellipsoid' };
}
