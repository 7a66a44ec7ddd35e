import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';

/**
 * A suggestion for data that have a place, with what their heights count from, if that is certain.
 * @param purpose the first sentence of the reason
 * @returns undefined if no layer has a place
 */
export function suggestWithHeights(
  purpose: string,
  layers: InspectionReport['layers'],
): JobSuggestion | undefined {
  const placed = layers.find(({ bbox }) => bbox !== undefined);
  if (!placed) return undefined;
  const heights = placed.details?.['heights'] as HeightFinding | undefined;
  const reason = [purpose, heights?.reason ?? '', heights?.consequence ?? ''].join(' ').trim();
  const options = heights?.asks === true ? {} : (heights?.options ?? {});
  return {
    confidence: 0.95,
    reason,
    options: Object.keys(options).length === 0 ? {} : { heights: options },
  };
}

/** See diagnose-heights.ts. */
interface HeightFinding {
  readonly reason: string;
  readonly consequence?: string;
  readonly asks: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}
