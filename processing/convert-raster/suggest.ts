import type { InspectionReport } from '@platen/contract/inspect';
import type { JobSuggestion } from '../job-suggestion.ts';
import { expectImage } from '../raster-source/expect-imagery.ts';

/** From here on, an image can be shown as it is. */
const shownConfidence = 0.9;

/** Suggests imagery for rasters that have a place, unless maps show them as they are; for heights, a file for analysis. */
export function suggest(
  { kind, format, layers, uses, raster }: InspectionReport,
  cores: number,
): JobSuggestion | undefined {
  const isPlaced = layers.some(({ bbox }) => bbox !== undefined);
  if (!isPlaced) return undefined;
  if (kind === 'terrain' && (format === 'geotiff' || format === 'jpeg2000'))
    return {
      confidence: 0.2,
      reason: 'A cloud-optimized file with every height as it is, for analysis in QGIS and other programs.',
    };
  if (kind !== 'raster' || uses.some(({ type }) => type === 'panorama')) return undefined;
  const expected = raster && expectImage(raster, cores);
  const shown = uses.find(({ type }) => type === 'cog')?.confidence ?? 0;
  if (shown >= shownConfidence)
    return {
      confidence: 0.2,
      reason: 'Maps show it as it is. A task can store it again in another format, or in a mosaic.',
      ...expected,
    };
  return {
    confidence: 0.85,
    reason: 'Imagery that maps load in parts: web mercator, with overviews.',
    ...expected,
    options: raster?.mask ? { mask: raster.mask } : {},
  };
}
