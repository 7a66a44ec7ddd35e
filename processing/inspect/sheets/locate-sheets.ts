import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import { emptyBox, growBox, onEarth, type Box } from '../box.ts';
import { guessPlace, reportMissingCrs } from '../place/place-box.ts';
import type { PlaceContext } from '../place/resolve-place.ts';

/**
 * The coordinate system that the coordinates of all sheets fit that name none.
 * @param box around these, empty if there are none @param report says that they name none
 */
export function guessCrsOfSheets(
  box: Box,
  context: PlaceContext,
  report: typeof reportMissingCrs = reportMissingCrs,
): Crs | undefined {
  if (!(box[0] < box[2])) return undefined;
  report(box, context);
  const code = guessPlace(box, context).crs?.code;
  return code === undefined ? undefined : findCrs(code);
}

/** @param quad longitude and latitude of four corners @returns undefined if they are not on Earth */
export function boxOfQuad(quad: Float64Array): Box | undefined {
  const around = emptyBox();
  growBox(around, quad, 4);
  return quad.every(Number.isFinite) ? onEarth(around) : undefined;
}
