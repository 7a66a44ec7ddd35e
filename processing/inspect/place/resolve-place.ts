import type { InspectedLayer } from '@platen/contract/inspect';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import type { Area } from '@platen/formats/crs/crs';
import type { Issues } from '../issues.ts';

/** The location of a layer in the report. */
export type Place = Pick<InspectedLayer, 'crs' | 'bbox' | 'verticalDatum'>;

export interface PlaceContext {
  readonly file: string;
  readonly issues: Issues;
  /** Where data without a coordinate system probably are. */
  readonly area?: Area | undefined;
}

/**
 * Looks up the CRS and the vertical datum that a file names, and reports notes about them.
 * @param text as findCrs takes it
 * @returns no `crs` if it is unknown, which is reported as an issue
 */
export function resolvePlace(
  text: string,
  { file, issues }: PlaceContext,
): { crs: Crs | undefined; datum: Pick<Place, 'verticalDatum'> } {
  const verticalDatum = findVerticalCrs(text)?.name;
  const datum = verticalDatum === undefined ? {} : { verticalDatum };
  try {
    const crs = findCrs(text);
    // the vertical datum in the report already covers this note
    for (const { code, message } of crs.notes)
      if (code !== 'compoundHorizontal') issues.add(code, `${file}: ${message}.`);
    return { crs, datum };
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    issues.add('unknownCrs', `${file}: ${error.message}`);
    return { crs: undefined, datum };
  }
}

export function describeCrs(
  { code, name }: Pick<Crs, 'code' | 'name'>,
  isGuessed: boolean,
): NonNullable<InspectedLayer['crs']> {
  return { ...(code !== undefined && { code }), name, isGuessed };
}
