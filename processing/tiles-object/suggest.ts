import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';

/** Suggests tiles for city models that have a place. */
export function suggest({ kind, layers }: InspectionReport): JobSuggestion | undefined {
  if (kind !== 'cityModel') return undefined;
  if (!layers.some(({ bbox }) => bbox !== undefined))
    return { confidence: 0.3, reason: 'Shown on a globe once its coordinate system is set.' };
  return {
    confidence: 0.9,
    reason: '3D tiles with every object and its attributes, on the ground of a globe without terrain.',
    // new maps have no terrain: true heights would float
    options: { heights: { mode: 'flat' } },
  };
}
