import { openShippedGrid } from '@platen/formats/geoid/shipped-grid-file';
import { interpolate } from '@platen/formats/geoid/geoid-grid';
import { egm96 } from '@platen/formats/geoid/shipped-grids';
import {
  diagnoseHeights,
  type HeightDiagnosis,
  type HeightEvidence,
} from '../../heights/diagnose-heights.ts';
import { usualVertical } from '../../heights/national-heights.ts';
import { middleOf } from '@platen/formats/crs/area';
import type { Place } from './resolve-place.ts';

interface InspectedHeights extends HeightDiagnosis {
  /** The likeliest sea level, by a guessed CRS, where a person has to say what heights count from. */
  readonly seaLevel?: string;
}

/** What heights count from, as far as the file and its name say it; undefined without a place. */
export async function inspectHeights(
  evidence: Pick<HeightEvidence, 'fileName' | 'vertical' | 'flat'>,
  { crs, bbox }: Place,
): Promise<InspectedHeights | undefined> {
  if (bbox === undefined) return undefined;
  const [west, south, east, north] = bbox as [number, number, number, number];
  const place = middleOf([west, south, east, north]);
  const undulation = interpolate(await openShippedGrid(egm96), ...place);
  // a CRS that is guessed from coordinates says nothing of heights
  const crsCode = crs?.isGuessed === true ? undefined : crs?.code;
  const diagnosis = diagnoseHeights({ ...evidence, crsCode, place, undulation });
  const likely = diagnosis.asks ? usualVertical(crs?.code, place) : undefined;
  return {
    ...diagnosis,
    undulation: Number(undulation.toFixed(1)),
    ...(likely !== undefined && { seaLevel: `EPSG:${likely}` }),
  };
}

/** What to say of it where data with heights are to be converted. */
export function heightsAdvice(diagnosis: HeightDiagnosis | undefined): string {
  if (diagnosis === undefined || diagnosis.asks)
    return 'What its heights count from is not certain and must be determined first.';
  return [diagnosis.reason, diagnosis.consequence ?? ''].join(' ').trim();
}
