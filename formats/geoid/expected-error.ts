import type { VerticalCrs } from '../crs/vertical-crs.ts';
import { verticalOfCode } from '../crs/vertical-wkt.ts';
import { egm96, nationalGrids } from './shipped-grids.ts';

/** Metres that EGM96 is from other zero levels of the world, in 95 of 100 places; by EPSG's code of the datum. */
const errors: Readonly<Record<string, number>> = {
  1027: 1.5, // EGM2008
  5203: 1.5, // EGM84
  5100: 2, // mean sea level, which the topography of the sea takes up to 2 m off the geoid
  5103: 2, // NAVD88, which is tilted against the geoid by 1.5 m
  5102: 3, // NGVD29
};
/** The worst of the national ones that were measured is Belgium's, 2.7 m. Low tides are farther away. */
const otherErrors = 3;

/** Metres that ellipsoidal heights may be off by if EGM96 is used for these heights. */
export function expectedError({ datum }: VerticalCrs): number {
  if (datum === undefined) return otherErrors;
  const national = [egm96, ...nationalGrids].find(({ code }) => verticalOfCode(code)?.datum === datum);
  if (national !== undefined) return national.egm96Metres + egm96.accuracyMetres;
  return errors[datum] ?? otherErrors;
}
