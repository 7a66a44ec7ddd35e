import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';
import { expectTiles } from '../raster-source/expect-imagery.ts';

/** From here on, an image can be shown as it is. */
const shownConfidence = 0.9;

/** Suggests tiles for images that have a place, unless maps show them as they are. */
export function suggest(
  { kind, layers, uses, raster }: InspectionReport,
  cores: number,
): JobSuggestion | undefined {
  const isPlaced = layers.some(({ bbox }) => bbox !== undefined);
  if (kind !== 'raster' || !isPlaced || uses.some(({ type }) => type === 'panorama')) return undefined;
  const expected = raster && expectTiles(raster, cores);
  const shown = uses.find(({ type }) => type === 'cog')?.confidence ?? 0;
  if (shown >= shownConfidence)
    return {
      confidence: 0.25,
      reason: 'Maps show it as it is. A task can make it part of a mosaic of tiles.',
      ...expected,
    };
  return {
    confidence: 0.9,
    reason: 'Image tiles for maps and globes, fast at every zoom.',
    ...expected,
    options: raster?.mask ? { mask: raster.mask } : {},
  };
}
