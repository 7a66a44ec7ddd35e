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
  const placed = suggestWithHeights('3D tiles, on the ground of a globe without terrain.', layers);
  const suggested = (placed && onGround(placed)) ?? {
    confidence: 0.35,
    reason: 'Shown on a globe once its place is set: its coordinate system, or where its origin lies.',
  };
  return { ...suggested, ...(points && points.points > 0 && expectPoints(points, cores)) };
}

/** New maps have no terrain: true heights would float. */
function onGround(suggestion: JobSuggestion): JobSuggestion {
  const heights = suggestion.options?.['heights'] as object | undefined;
  return { ...suggestion, options: { heights: { mode: 'flat', ...heights } } };
}
