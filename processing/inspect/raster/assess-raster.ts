import type { InspectionUse } from '@platen/contract/inspect';
import { cogAdvice } from '@platen/formats/geotiff/cog-advice';
import { findViewerFaults } from '@platen/formats/geotiff/viewer-faults';
import type { HeightDiagnosis } from '../../heights/diagnose-heights.ts';
import type { Issues } from '../issues.ts';
import type { Place } from '../place/resolve-place.ts';
import type { DescribedTiff } from './describe-tiff.ts';
import { heightsAdvice } from '../place/inspect-heights.ts';
import type { PixelInspection } from './inspect-pixels.ts';

interface RasterFacts extends DescribedTiff {
  readonly place: Place;
  readonly pixels: PixelInspection;
  readonly isCog: boolean;
  readonly heights: HeightDiagnosis | undefined;
}

export interface RasterAssessment {
  readonly uses: InspectionUse[];
  readonly isElevation: boolean;
}

/** Suggests uses for a raster and reports what prevents them. */
export function assessRaster(facts: RasterFacts, file: string, issues: Issues): RasterAssessment {
  const panorama = panoramaUse(facts, file, issues);
  if (panorama) return { uses: [panorama], isElevation: false };
  if (facts.pixels.isElevation) return { uses: elevationUses(facts), isElevation: true };
  return { uses: [imageUse(facts, file, issues)], isElevation: false };
}

function imageUse(
  { images, place, transform, isCog, cogFaults }: RasterFacts,
  file: string,
  issues: Issues,
): InspectionUse {
  const use = { kind: 'datasource', type: 'cog' } as const;
  if (transform === undefined && place.bbox === undefined)
    return { ...use, confidence: 0.1, reason: 'It can be shown once it is georeferenced.' };
  const faults = findViewerFaults(images, place.crs?.code);
  if (faults.length > 0) {
    issues.add('notShownByViewer', `${file} cannot be shown as it is. ${faults.join(' ')} ${cogAdvice}`);
    return { ...use, confidence: 0.2, reason: `Imagery that cannot be shown as it is: ${faults.join(' ')}` };
  }
  if (!isCog) {
    const why = cogFaults.join(', ');
    issues.add('notCloudOptimized', `${file} can be shown, but slowly: ${why}. ${cogAdvice}`);
    return { ...use, confidence: 0.6, reason: `Imagery that can be shown, but slowly: ${why}.` };
  }
  return {
    ...use,
    confidence: 0.95,
    reason: 'Imagery in EPSG:3857, cloud-optimized: it can be shown as it is.',
  };
}

function elevationUses({ heights }: RasterFacts): InspectionUse[] {
  return [
    {
      kind: 'datasource',
      type: 'qmesh',
      confidence: 0.3,
      reason: `Heights. To use them as terrain, convert them to quantized-mesh tiles. ${heightsAdvice(heights)}`,
    },
  ];
}

function panoramaUse(
  { metadata, images }: RasterFacts,
  file: string,
  issues: Issues,
): InspectionUse | undefined {
  const version = metadata.find(({ name }) => name === 'PANORAMA_VERSION');
  if (!version) return undefined;
  const [{ width, height }] = images as [DescribedTiff['images'][0]];
  if (Math.abs(width / height - 2) > 0.01)
    issues.add(
      'panoramaShape',
      `${file} is a panorama, but not twice as wide as high: it will be distorted.`,
    );
  return {
    kind: 'datasource',
    type: 'panorama',
    confidence: 0.5,
    reason: `A panorama (version ${version.value.slice(0, 20)}): it is shown as part of a folder with an images.fgb that lists it.`,
  };
}
