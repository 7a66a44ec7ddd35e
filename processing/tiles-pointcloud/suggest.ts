import type { InspectionReport } from '@platen/contract/inspect';
import { suggestWithHeights } from '../heights/suggest-with-heights.ts';
import type { JobSuggestion } from '../job-suggestion.ts';
import { expectPoints } from './expect-points.ts';

const formats = new Set(['las', 'e57', 'ply', 'xyz', 'pts', 'ptx']);

/** Suggests tiles for point clouds, and says so where their place is still to be set. @param cores number that the job can expect */
export function suggest(
  { kind, format, layers, points }: InspectionReport,
  cores: number,
): JobSuggestion | undefined {
  if (kind !== 'pointCloud' || !formats.has(format ?? '')) return undefined;
  if (layers.some(({ details }) => details?.['isGaussianSplat'] === true)) return undefined;
  const suggested = suggestWithHeights('3D tiles for globes.', layers) ?? {
    confidence: 0.35,
    reason: 'Shown on a globe once its place is set: its coordinate system, or where its origin lies.',
  };
  return { ...suggested, ...(points && points.points > 0 && expectPoints(points, cores)) };
}
