import { SourceError, type SourceLayer, type SourcePart } from '@platen/formats/source/source';
import { explainSourceError } from '../../features/explain-source-error.ts';
import type { FeatureSketch } from '../../tile-style/feature-sketch.ts';
import type { LayerSampler } from '../feature-samples.ts';
import type { Issues } from '../issues.ts';
import { createSampleReader, type SampledFeatures } from './read-sample.ts';
import { spread } from './spread.ts';

/** The result of sampling parts of a layer. */
export interface LayerSample extends SampledFeatures {
  /** Estimated number of features; undefined if too little was read. */
  readonly features: number | undefined;
  /** Whether the whole layer was read. */
  readonly isWhole: boolean;
  /** Reading failed with an error that will occur again. */
  readonly isBroken: boolean;
}

interface Options {
  /** Whether the time limit has passed. */
  readonly isOver: () => boolean;
  /** See InspectionContext. */
  readonly memoryBytes: number;
  /** The last part is incomplete. */
  readonly isCutOff: boolean;
  readonly signal: AbortSignal;
  readonly issues: Issues;
  readonly sketch?: FeatureSketch;
  readonly sampler?: LayerSampler | undefined;
}

/** Sufficient if the file itself declares the number of features. */
const enoughFeatures = 20_000;
const enoughParts = 8;

/** Reads parts from all over the layer, starting with the first, until time is up. */
export async function sampleLayer(layer: SourceLayer, options: Options): Promise<LayerSample> {
  const { isOver, signal, issues } = options;
  const reading = createSampleReader(layer.crs, options);
  const parts = options.isCutOff && layer.parts.length > 1 ? layer.parts.slice(0, -1) : layer.parts;
  const weightOf = usualWeights(layer.parts);
  const total = layer.parts.reduce((sum, part) => sum + weightOf(part), 0);
  let weight = 0;
  let features = 0;
  let isWhole = parts.length === layer.parts.length;
  let isBroken = false;
  for (const [read, index] of spread(parts.length).entries()) {
    signal.throwIfAborted();
    const isEnough = layer.featureCount !== undefined && reading.features() >= enoughFeatures;
    if (read > 0 && (isOver() || (isEnough && read >= enoughParts))) {
      isWhole = false;
      break;
    }
    const part = parts[index]!;
    try {
      const counted = await reading.read(part);
      weight += counted.share * weightOf(part);
      features += counted.features;
      isWhole &&= counted.share === 1;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const { code, message } = explainSourceError(error, part.file.name) as SourceError;
      issues.add(code, message);
      // the positions at which GeoJSON is divided are guesses, which may be the cause
      isBroken ||= part.format !== 'geojson' || parts.length === 1;
      isWhole = false;
      if (isBroken) break;
    }
  }
  const estimate = weight > 0 ? (features / weight) * total : undefined;
  return { ...reading.collected(), features: isWhole ? features : estimate, isWhole, isBroken };
}

/** Limits the weight of unusually large parts, which contain a few large features and not many more of them. */
function usualWeights(parts: readonly SourcePart[]): (part: SourcePart) => number {
  const middle =
    parts.map(({ weight }) => weight).toSorted((a, b) => a - b)[Math.floor(parts.length / 2)] ?? 0;
  return ({ weight }) => Math.min(weight, middle * 2);
}
