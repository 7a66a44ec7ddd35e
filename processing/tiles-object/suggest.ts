import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';

/** Suggests tiles for city models that have a place. */
export function suggest({ kind, layers }: InspectionReport): JobSuggestion | undefined {
  if (kind !== 'cityModel') return undefined;
  if (!layers.some(({ bbox }) => bbox !== undefined))
    return { confidence: 0.3, reason: 'Shown on a globe once its coordinate system is set.' };
  return {
    confidence: 0.9,
    reason: '3D tiles for globes, with every object and its attributes.',
    options: {},
  };
}
