import type { InspectedLayer } from '@platen/contract/inspect';
import { findCrs } from '@platen/formats/crs/find-crs';
import type { Source, SourceLayer } from '@platen/formats/source/source';
import { layerNameOf } from '../../features/layer-name.ts';
import { boxInLonLat, onEarth, type Box } from '../box.ts';
import type { Issues } from '../issues.ts';
import { judgeCrs, type CrsJudgement } from './judge-crs.ts';
import type { LayerSample } from './sample-layer.ts';

export interface DescribedLayer {
  readonly layer: InspectedLayer;
  readonly judgement: CrsJudgement;
}

interface Of {
  readonly source: Source;
  readonly layer: SourceLayer;
  /** How many times as large all of it is. */
  readonly scale: number;
  readonly issues: Issues;
}

/** What is told of a layer, by what the file says and what was read of it. */
export function describeLayer(sample: LayerSample, { source, layer, scale, issues }: Of): DescribedLayer {
  const file = source.file.name;
  const judgement = judgeCrs(sample, { file, format: source.format, issues });
  const count = countOf(sample, layer);
  if (sample.fields.hasMore())
    issues.add('manyFields', `${file} has more attributes than the 1000 that are told of here.`);
  const featureCount = count && Math.round(count.features * scale);
  const { bbox, isEstimated: isBboxEstimated } = bboxOf(sample, layer, judgement);
  return {
    judgement,
    layer: {
      name: (layer.name ?? layerNameOf(file)).slice(0, 200).toWellFormed(),
      geometryTypes: [...sample.types.keys()].toSorted(),
      ...(featureCount !== undefined && { featureCount }),
      isEstimated: count?.isEstimated === true || scale > 1,
      ...(judgement.crs && { crs: judgement.crs }),
      ...(bbox && { bbox }),
      isBboxEstimated: isBboxEstimated || (bbox !== undefined && scale > 1),
      fields: sample.fields.describe(layer.fields),
    },
  };
}

function countOf(
  { features, isWhole }: LayerSample,
  { featureCount }: SourceLayer,
): { features: number; isEstimated: boolean } | undefined {
  if (featureCount !== undefined) return { features: featureCount, isEstimated: false };
  return features === undefined ? undefined : { features, isEstimated: !isWhole };
}

/** All that was read, if that is everything; otherwise what the file says, or else the sample. */
function bboxOf(
  { crs, rawBox, lonLatBox, isWhole }: LayerSample,
  { bbox: stated }: SourceLayer,
  judgement: CrsJudgement,
): { bbox: Box | undefined; isEstimated: boolean } {
  if (judgement.kind === 'unknown') return { bbox: undefined, isEstimated: false };
  const isStated = !isWhole && stated !== undefined;
  const isEstimated = !isWhole && !isStated;
  const raw: Box = isStated ? [...stated] : rawBox;
  if (judgement.kind === 'guessed')
    return { bbox: onEarth(boxInLonLat(findCrs(judgement.crs!.code!), raw)), isEstimated };
  if (!isStated) return { bbox: onEarth(lonLatBox), isEstimated };
  const isLonLat = crs === undefined || crs.kind === 'lonLat';
  return { bbox: onEarth(isLonLat ? raw : boxInLonLat(crs, raw)), isEstimated };
}
