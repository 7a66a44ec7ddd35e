import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';

/** Suggests tiles for point clouds that have a place, with what their heights count from, if that is certain. */
export function suggest({ kind, format, layers }: InspectionReport): JobSuggestion | undefined {
  if (kind !== 'pointCloud' || format !== 'las') return undefined;
  const details = layers.flatMap(({ bbox, details: one }) => (bbox === undefined ? [] : [one ?? {}]));
  if (details.length === 0)
    return { confidence: 0.35, reason: 'Shown on a globe once its coordinate system is set.' };
  const heights = details[0]!['heights'] as HeightFinding | undefined;
  const reason = ['3D tiles for globes.', heights?.reason ?? '', heights?.consequence ?? ''].join(' ').trim();
  const options = heights?.asks === true ? {} : (heights?.options ?? {});
  return {
    confidence: 0.95,
    reason,
    options: Object.keys(options).length === 0 ? {} : { heights: options },
  };
}

/** See processing/heights/diagnose-heights.ts. */
interface HeightFinding {
  readonly reason: string;
  readonly consequence?: string;
  readonly asks: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}
