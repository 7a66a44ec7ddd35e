import { openHeightTransform } from '@platen/formats/geoid/height-transform';
import { openHeights } from '../../heights/open-heights.ts';
import type { PlannedSheet } from '../plan-sheets.ts';
import type { Setup } from '../tasks.ts';

/** Turns heights of cells into metres: above the ellipsoid, or above what they count from. */
export type ConvertHeights = (points: Float64Array, count: number) => void;

/**
 * The transformations of sheets, opened once for each kind of heights. The main thread has reported what is approximate.
 */
export function createSheetHeights(setup: Setup): (sheet: PlannedSheet) => Promise<ConvertHeights> {
  const { settings, heights: options, inputs, geoidFolder } = setup;
  const known = new Map<number, Promise<ConvertHeights>>();
  const open = async ({ facts }: PlannedSheet): Promise<ConvertHeights> => {
    const context = { inputs, warn: () => {}, ...(geoidFolder !== undefined && { geoidFolder }) };
    const { vertical, toEllipsoid } = await openHeights(options, facts, context);
    const plain = openHeightTransform(vertical, undefined, options.offset ?? 0);
    const convert = settings.kind === 'quantizedMesh' ? toEllipsoid : plain.toEllipsoid;
    return (points, count) => {
      if (settings.exaggeration !== 1)
        for (let i = 2; i < 3 * count; i += 3) points[i]! *= settings.exaggeration;
      convert(points, count);
    };
  };
  return (sheet) => {
    let opened = known.get(sheet.heightsOf);
    if (opened === undefined) known.set(sheet.heightsOf, (opened = open(sheet)));
    return opened;
  };
}
