import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';

const sourceFormats = new Set(['geotiff', 'hgt', 'asciiGrid']);

/** Suggests terrain for height models that have a place, with what their heights count from, if that is certain. */
export function suggest({ kind, format = '', layers }: InspectionReport): JobSuggestion | undefined {
  if (kind !== 'terrain' || !sourceFormats.has(format)) return undefined;
  const details = layers.flatMap(({ bbox, details: one }) => (bbox === undefined ? [] : [one ?? {}]));
  if (details.length === 0) return undefined;
  const heights = details[0]!['heights'] as HeightFinding | undefined;
  const reason = ['Terrain for globes.', heights?.reason ?? '', heights?.consequence ?? ''].join(' ').trim();
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
