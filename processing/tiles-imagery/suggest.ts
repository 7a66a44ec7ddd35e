import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';

/** Suggests tiles for images that have a place. */
export function suggest({ kind, layers, uses }: InspectionReport): JobSuggestion | undefined {
  const isPlaced = layers.some(({ bbox }) => bbox !== undefined);
  if (kind !== 'raster' || !isPlaced || uses.some(({ type }) => type === 'panorama')) return undefined;
  return { confidence: 0.9, reason: 'Image tiles for maps and globes, fast at every zoom.', options: {} };
}
