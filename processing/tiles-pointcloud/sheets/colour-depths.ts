import type { Settings } from '../settings.ts';
import type { PointSheet } from './sheet.ts';

/** 8 bits a channel unless a sheet has more: then those that are black in the sample have as many as the others. */
export function colourDepths(sheets: readonly PointSheet[], settings: Settings): (sheet: number) => 8 | 16 {
  const isDeep = sheets.some(({ brightest = 0 }) => brightest > 255);
  return (number) => {
    if (settings.colourDepth !== undefined) return settings.colourDepth;
    const { brightest = 0 } = sheets[number]!;
    return brightest > 255 || (brightest === 0 && isDeep) ? 16 : 8;
  };
}
