import type { InspectionReport } from '@platen/contract/inspect';
import { suggestWithHeights } from '../heights/suggest-with-heights.ts';
import type { JobSuggestion } from '../job-suggestion.ts';

/** Suggests tiles for point clouds, and says so where their place is still to be set. */
export function suggest({ kind, format, layers }: InspectionReport): JobSuggestion | undefined {
  if (kind !== 'pointCloud' || format !== 'las') return undefined;
  return (
    suggestWithHeights('3D tiles for globes.', layers) ?? {
      confidence: 0.35,
      reason: 'Shown on a globe once its coordinate system is set.',
    }
  );
}
