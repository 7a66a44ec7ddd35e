import type { InspectionReport } from '@platen/contract/inspect';
import { suggestWithHeights } from '../heights/suggest-with-heights.ts';
import type { JobSuggestion } from '../job-suggestion.ts';

const formats = new Set(['las', 'e57', 'ply', 'xyz', 'pts', 'ptx']);

/** Suggests tiles for point clouds, and says so where their place is still to be set. */
export function suggest({ kind, format, layers }: InspectionReport): JobSuggestion | undefined {
  if (kind !== 'pointCloud' || !formats.has(format ?? '')) return undefined;
  if (layers.some(({ details }) => details?.['isGaussianSplat'] === true)) return undefined;
  return (
    suggestWithHeights('3D tiles for globes.', layers) ?? {
      confidence: 0.35,
      reason: 'Shown on a globe once its place is set: its coordinate system, or where its origin lies.',
    }
  );
}
