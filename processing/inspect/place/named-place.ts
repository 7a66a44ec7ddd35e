import type { InspectedLayer } from '@platen/contract/inspect';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { verticalPart } from '@platen/formats/crs/vertical-part';
import type { Issues } from '../issues.ts';

/** What a layer tells of where it lies. */
export type Place = Pick<InspectedLayer, 'crs' | 'bbox' | 'verticalDatum'>;

export interface Saying {
  readonly file: string;
  readonly issues: Issues;
}

/**
 * The CRS that a file names, with what has to be said of it, and what heights are measured from.
 * @param text as findCrs takes it
 * @returns no `crs` where nobody knows it, which is told
 */
export function namedPlace(
  text: string,
  { file, issues }: Saying,
): { crs: Crs | undefined; datum: Pick<Place, 'verticalDatum'> } {
  const verticalDatum = verticalPart(text);
  const datum = verticalDatum === undefined ? {} : { verticalDatum };
  try {
    const crs = findCrs(text);
    // the vertical datum says as much as that note
    for (const { code, message } of crs.notes)
      if (code !== 'compoundHorizontal') issues.add(code, `${file}: ${message}.`);
    return { crs, datum };
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    issues.add('unknownCrs', `${file}: ${error.message}`);
    return { crs: undefined, datum };
  }
}

export function toldCrs({ code, name }: Crs, isGuessed: boolean): NonNullable<InspectedLayer['crs']> {
  return { ...(code !== undefined && { code }), name, isGuessed };
}
