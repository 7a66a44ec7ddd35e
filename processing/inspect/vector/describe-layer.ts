import type { InspectedLayer } from '@platen/contract/inspect';
import { findCrs } from '@platen/formats/crs/find-crs';
import type { Source, SourceLayer } from '@platen/formats/source/source';
import { layerNameOf } from '../../features/layer-name.ts';
import { boxInLonLat, onEarth, type Box } from '../box.ts';
import type { Issues } from '../issues.ts';
import { assessCrs, type CrsAssessment } from './assess-crs.ts';
import type { FarFeature } from './far-features.ts';
import type { LayerSample } from './sample-layer.ts';

export interface DescribedLayer {
  readonly layer: InspectedLayer;
  readonly crsAssessment: CrsAssessment;
}

const maxNamedFar = 5;

interface LayerContext {
  readonly source: Source;
  readonly layer: SourceLayer;
  /** Size of the whole file relative to the part that was opened. */
  readonly scale: number;
  readonly issues: Issues;
}

/** Describes a layer by the file's own data and by the sample. */
export function describeLayer(
  sample: LayerSample,
  { source, layer, scale, issues }: LayerContext,
): DescribedLayer {
  const file = source.file.name;
  const crsAssessment = assessCrs(sample, { file, format: source.format, issues });
  const { types, withoutGeometry } = sample;
  if (types.size > 0 && withoutGeometry > 0)
    issues.add(
      'noGeometry',
      `${file} has features without a geometry. Maps leave them out.`,
      withoutGeometry,
    );
  const count = countOf(sample, layer);
  if (sample.fields.hasMore())
    issues.add('manyFields', `${file} has more than 1000 attributes. This report lists the first 1000.`);
  const featureCount = count && Math.round(count.features * scale);
  const { bbox, isEstimated: isBboxEstimated } = bboxOf(sample, layer, crsAssessment);
  // of a guessed system, positions were not transformed
  const farFeatures = crsAssessment.kind === 'named' ? sample.farFeatures : undefined;
  for (const far of farFeatures?.far.slice(0, maxNamedFar) ?? [])
    issues.add('farFeature', farFeatureText(far, file));
  return {
    crsAssessment,
    layer: {
      name: (layer.name ?? layerNameOf(file)).slice(0, 200).toWellFormed(),
      geometryTypes: [...types.keys()].toSorted(),
      ...(featureCount !== undefined && { featureCount }),
      isEstimated: count?.isEstimated === true || scale > 1,
      ...(crsAssessment.crs && { crs: crsAssessment.crs }),
      ...(bbox && { bbox }),
      isBboxEstimated: isBboxEstimated || (bbox !== undefined && scale > 1),
      ...(bbox && farFeatures && { typicalBbox: onEarth(farFeatures.typical)! }),
      fields: sample.fields.describe(layer.fields),
    },
  };
}

function farFeatureText({ longitude, latitude, place: { feature, line } }: FarFeature, file: string): string {
  const at = line === undefined ? `Feature ${feature}` : `The feature in line ${line}`;
  const where = `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;
  return `${at} of ${file} is at ${where} (latitude, longitude), far from the others. Maps start where the others are. Check its coordinates.`;
}

function countOf(
  { features, isWhole }: LayerSample,
  { featureCount }: SourceLayer,
): { features: number; isEstimated: boolean } | undefined {
  if (featureCount !== undefined) return { features: featureCount, isEstimated: false };
  return features === undefined ? undefined : { features, isEstimated: !isWhole };
}

/**
 * The box of everything that was read if that is the whole layer; otherwise the declared one, or that of the sample.
 */
function bboxOf(
  { crs, rawBox, lonLatBox, isWhole }: LayerSample,
  { bbox: stated }: SourceLayer,
  crsAssessment: CrsAssessment,
): { bbox: Box | undefined; isEstimated: boolean } {
  if (crsAssessment.kind === 'unknown') return { bbox: undefined, isEstimated: false };
  const isStated = !isWhole && stated !== undefined;
  const isEstimated = !isWhole && !isStated;
  const raw: Box = isStated ? [...stated] : rawBox;
  if (crsAssessment.kind === 'guessed')
    return { bbox: onEarth(boxInLonLat(findCrs(crsAssessment.crs!.code!), raw)), isEstimated };
  if (!isStated) return { bbox: onEarth(lonLatBox), isEstimated };
  return { bbox: onEarth(crs ? boxInLonLat(crs, raw) : raw), isEstimated };
}
