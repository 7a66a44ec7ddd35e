import type { InspectionReport } from '@platen/contract/inspect';
import { suggestWithHeights } from '../heights/suggest-with-heights.ts';
import type { JobSuggestion } from '../job-suggestion.ts';

const sourceFormats = new Set(['geotiff', 'hgt', 'asciiGrid']);

/** Suggests terrain for height models that have a place. */
export function suggest({ kind, format = '', layers }: InspectionReport): JobSuggestion | undefined {
  if (kind !== 'terrain' || !sourceFormats.has(format)) return undefined;
  return suggestWithHeights('Terrain for globes.', layers);
}
