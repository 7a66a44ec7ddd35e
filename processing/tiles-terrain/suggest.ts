import type { InspectionReport } from '@platen/contract/inspect';
import { suggestWithHeights } from '../heights/suggest-with-heights.ts';
import type { JobSuggestion } from '../job-suggestion.ts';
import { expectTerrain } from './expect-terrain.ts';

const sourceFormats = new Set(['geotiff', 'hgt', 'asciiGrid', 'xyzGrid']);

/** Suggests terrain for height models that have a place. */
export function suggest(
  { kind, format = '', layers, raster }: InspectionReport,
  cores: number,
): JobSuggestion | undefined {
  if (kind !== 'terrain' || !sourceFormats.has(format)) return undefined;
  const suggestion = suggestWithHeights('Terrain for globes.', layers);
  const bbox = layers.find((layer) => layer.bbox)?.bbox;
  if (!suggestion || !raster || !bbox) return suggestion;
  return { ...suggestion, ...expectTerrain(raster, bbox, cores) };
}
