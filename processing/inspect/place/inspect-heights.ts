import type { GroundFacts } from '@platen/contract/inspect';
import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import type { VerticalCrs } from '@platen/formats/crs/vertical-crs';
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

interface CompleteEvidence extends Evidence {
  readonly crsCode: string | undefined;
  readonly place: [number, number];
  readonly undulation: number;
}

interface InspectedHeights extends HeightDiagnosis {
  /** The likeliest sea level, by a guessed CRS, where a person has to say what heights count from. */
  readonly seaLevel?: string;
}

type Evidence = Pick<HeightEvidence, 'fileName' | 'vertical' | 'flat'>;

/** What heights count from, as far as the file and its name say it; undefined without a place. */
export async function inspectHeights(
  evidence: Evidence,
  place: Place,
): Promise<InspectedHeights | undefined> {
  const complete = await completeEvidence(evidence, place);
  if (!complete) return undefined;
  const diagnosis = diagnoseHeights(complete);
  const likely = diagnosis.asks ? usualVertical(place.crs?.code, complete.place) : undefined;
  return { ...diagnosis, ...(likely !== undefined && { seaLevel: `EPSG:${likely}` }) };
}

/** What other data of the project can be compared with, now or later; undefined without a place or a height. */
export async function groundFactsOf(
  { vertical, ...evidence }: Evidence,
  place: Place,
  sample: (crs: Crs, bbox: readonly number[]) => readonly number[],
): Promise<GroundFacts | undefined> {
  const { bbox } = place;
  const crs = place.crs?.code === undefined ? undefined : findCrs(place.crs.code);
  const complete = crs && bbox && (await completeEvidence(evidence, place));
  if (!complete) return undefined;
  if (vertical?.isDepth === true) return undefined;
  const found = sample(crs, bbox);
  const metres = vertical?.metresPerUnit ?? 1;
  const corners = found.map((value, i) => (i % 3 === 2 ? value * metres : value));
  if (corners.length === 0) return undefined;
  const { fileName, place: middle, undulation, crsCode, flat } = complete;
  return {
    fileName,
    place: middle,
    undulation,
    ...(crsCode !== undefined && { crsCode }),
    ...(flat && { flat }),
    ...(vertical && { vertical: statedOf(vertical) }),
    corners,
  };
}

function statedOf({
  kind,
  code,
  name,
  metresPerUnit,
  isDepth,
}: VerticalCrs): NonNullable<GroundFacts['vertical']> {
  return { kind, ...(code !== undefined && { code }), name, metresPerUnit, isDepth };
}

async function completeEvidence(
  evidence: Evidence,
  { crs, bbox }: Place,
): Promise<CompleteEvidence | undefined> {
  if (bbox === undefined) return undefined;
  const [west, south, east, north] = bbox as [number, number, number, number];
  const [lon, lat] = middleOf([west, south, east, north]);
  const undulation = interpolate(await openShippedGrid(egm96), lon, lat);
  // a CRS that is guessed from coordinates says nothing of heights
  const crsCode = crs?.isGuessed === true ? undefined : crs?.code;
  return { ...evidence, crsCode, place: [lon, lat], undulation: Number(undulation.toFixed(1)) };
}

/** What to say of it where data with heights are to be converted. */
export function heightsAdvice(diagnosis: HeightDiagnosis | undefined): string {
  if (diagnosis === undefined || diagnosis.asks)
    return 'What its heights count from is not certain and must be determined first.';
  return [diagnosis.reason, diagnosis.consequence ?? ''].join(' ').trim();
}
