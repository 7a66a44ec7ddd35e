import { isWithin } from '@platen/formats/crs/area';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import type { Feature } from '@platen/formats/feature/feature';
import type { GeometryType } from '@platen/formats/feature/geometry-buffer';
import { sourceFormats } from '@platen/formats/source/formats';
import { SourceError, type SourceLayer, type SourcePart } from '@platen/formats/source/source';
import { explainSourceError } from '../features/explain-source-error.ts';
import { areDegrees, emptyBox, growBox, type Box } from './box.ts';
import { createDetailSample, type DetailSample } from './detail.ts';
import type { Issues } from './issues.ts';
import { createFieldSample, type FieldSample } from './sample-fields.ts';
import { spread } from './spread.ts';

/** What some parts of a layer have told. */
export interface LayerSample {
  /** What it was read in; undefined: longitude and latitude were taken for granted, or the name is not known. */
  readonly crs: Crs | undefined;
  readonly isCrsUnknown: boolean;
  /** By what was read; undefined where too little was. */
  readonly features: number | undefined;
  /** Whether all of it was read. */
  readonly isWhole: boolean;
  readonly types: ReadonlyMap<GeometryType, number>;
  /** In the layer's own coordinates. */
  readonly rawBox: Box;
  readonly lonLatBox: Box;
  /** One position of each feature, in the layer's own coordinates. */
  readonly positions: Float64Array;
  readonly fields: FieldSample;
  readonly detail: DetailSample;
  /** Reading it came to an error that will come again. */
  readonly isBroken: boolean;
}

interface Options {
  /** Whether the time is over. */
  readonly isOver: () => boolean;
  /** The last part is not whole. */
  readonly isCutOff: boolean;
  readonly signal: AbortSignal;
  readonly issues: Issues;
}

const longestFeatureBytes = 64 << 20;
/** Enough where the file itself knows how many there are. */
const enoughFeatures = 20_000;
const enoughParts = 8;
const mostPositions = 4096;
const areaMargin = 2;

/** Thrown to end the reading of a part. */
const enough = new Error('enough');

/** Reads parts from all over the layer, the first one first, until the time is over. */
export async function sampleLayer(layer: SourceLayer, options: Options): Promise<LayerSample> {
  const { isOver, signal, issues } = options;
  const reading = startReading(layer, options);
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
      // where a GeoJSON file can be divided is a guess, and may be at fault
      isBroken ||= part.format !== 'geojson' || parts.length === 1;
      isWhole = false;
      if (isBroken) break;
    }
  }
  const estimate = weight > 0 ? (features / weight) * total : undefined;
  return { ...reading.take(), features: isWhole ? features : estimate, isWhole, isBroken };
}

/** A part far above the others has some feature that is as large, and not that many of them. */
function usualWeights(parts: readonly SourcePart[]): (part: SourcePart) => number {
  const middle =
    parts.map(({ weight }) => weight).toSorted((a, b) => a - b)[Math.floor(parts.length / 2)] ?? 0;
  return ({ weight }) => Math.min(weight, middle * 2);
}

type Taken = Omit<LayerSample, 'features' | 'isWhole' | 'isBroken'>;

interface Reading {
  /** @returns how many features are in what share of the part; of all of it, unless the time was over */
  read(part: SourcePart): Promise<{ share: number; features: number }>;
  features(): number;
  take(): Taken;
}

function startReading({ crs: crsName }: SourceLayer, { isOver, issues }: Options): Reading {
  let features = 0;
  let crs: Crs | undefined;
  let isCrsUnknown = false;
  const types = new Map<GeometryType, number>();
  const [rawBox, lonLatBox] = [emptyBox(), emptyBox()];
  const positions: number[] = [];
  const fields = createFieldSample();
  const detail = createDetailSample();
  let file = '';
  const setCrs = (name: string): void => {
    try {
      crs = findCrs(name);
      for (const { code, message } of crs.notes) issues.add(code, message);
    } catch (error) {
      if (!(error instanceof UnknownCrs)) throw error;
      if (!isCrsUnknown) issues.add('unknownCrs', `${file}: ${error.message}`);
      isCrsUnknown = true;
    }
  };
  const visit = (feature: Feature): void => {
    features++;
    if ((features & 63) === 0 && isOver()) throw enough;
    if (feature.problem !== undefined) {
      issues.add('invalidGeometry', `Features of ${file} would be skipped: ${feature.problem}.`);
      return;
    }
    fields.see(feature.properties);
    const { geometry } = feature;
    const { coordinates, positionCount, parts } = geometry;
    for (const { type } of parts) types.set(type, (types.get(type) ?? 0) + 1);
    if (positionCount === 0) return;
    growBox(rawBox, coordinates, positionCount);
    if (positions.length < mostPositions * 2) positions.push(coordinates[0]!, coordinates[1]!);
    if (crs !== undefined && crs.kind !== 'lonLat') {
      crs.toLonLat(coordinates, positionCount);
      if (isOutside(crs, coordinates[0]!, coordinates[1]!)) issues.add('outsideCrsArea', outside(file, crs));
      growBox(lonLatBox, coordinates, positionCount);
    } else if (areDegrees(coordinates[0]!, coordinates[1]!)) growBox(lonLatBox, coordinates, positionCount);
    detail.see(geometry);
  };
  return {
    async read(part) {
      file = part.file.name;
      if (crsName !== undefined && crs === undefined && !isCrsUnknown) setCrs(crsName);
      const format = await sourceFormats[part.format]!();
      const before = features;
      // features that were seen when a share was told lie in that share, or in the one before
      let [share, shareBefore, featuresInShare] = [0, 0, 0];
      const onProgress = (done: number): void => {
        [share, shareBefore, featuresInShare] = [done, share, features - before];
      };
      try {
        await format.read(part, visit, {
          longestFeatureBytes,
          onProgress,
          onCrs: (name) => crsName ?? setCrs(name),
        });
        return { share: 1, features: features - before };
      } catch (error) {
        if (error !== enough) throw error;
        return shareBefore > 0
          ? { share: shareBefore, features: featuresInShare }
          : { share: 0, features: 0 };
      }
    },
    features: () => features,
    take: () => ({
      crs,
      isCrsUnknown,
      types,
      rawBox,
      lonLatBox,
      positions: Float64Array.from(positions),
      fields,
      detail,
    }),
  };
}

function isOutside({ area }: Crs, lon: number, lat: number): boolean {
  return Number.isNaN(lon) || (area !== undefined && !isWithin(area, [lon, lat], areaMargin));
}

const outside = (file: string, { name }: Crs) =>
  `Features of ${file} lie outside the area that ${name} is made for. Is it the right CRS?`;
