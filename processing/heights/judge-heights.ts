import type { InspectionReport } from '@platen/contract/inspect';
import { diagnoseHeights, type HeightDiagnosis } from './diagnose-heights.ts';
import type { GroundHeights } from './ground-heights.ts';

/** Data of the project whose ground is known, and what its heights count from. */
export interface OtherGround {
  readonly name: string;
  readonly corners: readonly number[];
  /** Of its own report. */
  readonly heights: unknown;
}

/** The report with what other data of the project says of its heights: they may have been measured from something else, or in feet. */
export function judgeHeights(report: InspectionReport, others: readonly OtherGround[]): InspectionReport {
  const { ground, layers } = report;
  const [layer, ...further] = layers;
  const own = layer?.details?.['heights'];
  const known = others.flatMap(({ name, corners, heights }) => {
    const kind = kindOf(heights);
    return kind === undefined ? [] : [{ ...groundOf(corners), kind, name }];
  });
  if (!ground || !isDiagnosis(own) || known.length === 0) return report;
  const { corners, vertical, ...evidence } = ground;
  const judged = diagnoseHeights({ ...evidence, vertical, ground: groundOf(corners), others: known });
  const { seaLevel } = own as { seaLevel?: unknown };
  const heights = { ...judged, ...(judged.asks && seaLevel !== undefined && { seaLevel }) };
  return { ...report, layers: [{ ...layer!, details: { ...layer!.details, heights } }, ...further] };
}

/** Undefined where it is not known well enough. */
function kindOf(heights: unknown): 'ellipsoid' | 'seaLevel' | undefined {
  if (!isDiagnosis(heights) || heights.asks || heights.vertical === undefined) return undefined;
  return heights.vertical === 'ellipsoid' ? 'ellipsoid' : 'seaLevel';
}

const isDiagnosis = (value: unknown): value is HeightDiagnosis =>
  typeof value === 'object' && value !== null && 'asks' in value && 'confidence' in value;

/** @param numbers longitude, latitude and height of each corner */
function groundOf(numbers: readonly number[]): GroundHeights {
  return {
    corners: Array.from({ length: Math.floor(numbers.length / 3) }, (_, i) => ({
      lon: numbers[i * 3]!,
      lat: numbers[i * 3 + 1]!,
      height: numbers[i * 3 + 2]!,
    })),
  };
}
