import type { Crs } from '@platen/formats/crs/find-crs';
import type { Feature, FeaturePlace } from '@platen/formats/feature/feature';
import type { GeometryType } from '@platen/formats/feature/geometry-buffer';
import { isWithin } from '@platen/formats/crs/area';
import { sourceFormats } from '@platen/formats/open/formats';
import type { SourcePart } from '@platen/formats/source/source';
import type { FeatureSketch } from '../../tile-style/feature-sketch.ts';
import { areAllDegrees, emptyBox, growBox, type Box } from '../box.ts';
import { createDetailSample, type DetailSample } from './detail.ts';
import { createFarFeatureSearch, type FarFeatures } from './far-features.ts';
import type { LayerSampler } from '../feature-samples.ts';
import type { Issues } from '../issues.ts';
import { createLayerCrs, type LayerCrs } from './layer-crs.ts';
import { createFieldSample, type FieldSample } from '../sample-fields.ts';

/** Data collected from the features that were read. */
export interface SampledFeatures {
  /** The CRS they were read in. Undefined: longitude and latitude were assumed, or the CRS is unknown. */
  readonly crs: Crs | undefined;
  readonly isCrsUnknown: boolean;
  readonly types: ReadonlyMap<GeometryType, number>;
  /** Number of features that are nowhere. */
  readonly withoutGeometry: number;
  /** In the layer's own coordinates. */
  readonly rawBox: Box;
  readonly lonLatBox: Box;
  /** One position of each feature, in the layer's own coordinates. */
  readonly positions: Float64Array;
  readonly fields: FieldSample;
  readonly detail: DetailSample;
  /** Undefined if the features lie together. */
  readonly farFeatures: FarFeatures | undefined;
}

export interface SampleReader {
  /** @returns the number of features read and the share of the part they cover: all of it unless time ran out */
  read(part: SourcePart): Promise<{ share: number; features: number }>;
  features(): number;
  collected(): SampledFeatures;
}

interface Options {
  readonly isOver: () => boolean;
  readonly memoryBytes: number;
  readonly issues: Issues;
  /** Receives features that can be placed on earth, in longitude and latitude. */
  readonly sketch?: FeatureSketch;
  /** Receives all features, including those without a place in longitude and latitude. */
  readonly sampler?: LayerSampler | undefined;
}

const maxFeatureBytes = 64 << 20;
/** A feature is in memory several times, as in jobs. */
const maxFeatureShare = 1 / 8;
const maxPositions = 4096;
const areaMargin = 2;

/** Thrown to stop reading a part when time is up. */
const timeIsUp = new Error('enough');

/** @param crsName the CRS that the file names for the layer, before any part is read */
export function createSampleReader(crsName: string | undefined, options: Options): SampleReader {
  const { isOver, memoryBytes, issues } = options;
  const crs = createLayerCrs(issues);
  const collector = createCollector(crs, options);
  let features = 0;
  return {
    async read(part) {
      const file = part.file.name;
      if (crsName !== undefined) crs.set(crsName, file);
      const format = await sourceFormats[part.format]!();
      const before = features;
      // features read before progress is reported belong to the reported share or to the one before
      let [share, shareBefore, featuresInShare] = [0, 0, 0];
      const visit = (feature: Feature, place: () => FeaturePlace): void => {
        features++;
        if ((features & 63) === 0 && isOver()) throw timeIsUp;
        collector.see(feature, file, place);
      };
      try {
        await format.read(part, visit, {
          maxFeatureBytes: Math.min(maxFeatureBytes, Math.floor(memoryBytes * maxFeatureShare)),
          onProgress(done) {
            [share, shareBefore, featuresInShare] = [done, share, features - before];
          },
          onCrs: (name) => crs.set(name, file),
        });
        return { share: 1, features: features - before };
      } catch (error) {
        if (error !== timeIsUp) throw error;
        return shareBefore > 0
          ? { share: shareBefore, features: featuresInShare }
          : { share: 0, features: 0 };
      }
    },
    features: () => features,
    collected: () => collector.collected(),
  };
}

interface Collector {
  see(feature: Feature, file: string, place: () => FeaturePlace): void;
  collected(): SampledFeatures;
}

function createCollector(
  named: LayerCrs,
  { issues, sketch, sampler }: Pick<Options, 'issues' | 'sketch' | 'sampler'>,
): Collector {
  const types = new Map<GeometryType, number>();
  const [rawBox, lonLatBox] = [emptyBox(), emptyBox()];
  const positions: number[] = [];
  const fields = createFieldSample();
  const detail = createDetailSample();
  const farFeatures = createFarFeatureSearch();
  let withoutGeometry = 0;
  return {
    see({ problem, properties, geometry }, file, place) {
      if (problem !== undefined)
        return issues.add('invalidGeometry', `Features of ${file} would be skipped: ${problem}.`);
      fields.see(properties);
      const { coordinates, positionCount, parts } = geometry;
      for (const { type } of parts) types.set(type, (types.get(type) ?? 0) + 1);
      if (positionCount === 0) {
        withoutGeometry++;
        return sampler?.add(properties, undefined);
      }
      growBox(rawBox, coordinates, positionCount);
      if (positions.length < maxPositions * 2) positions.push(coordinates[0]!, coordinates[1]!);
      const crs = named.crs();
      if (crs !== undefined && crs.kind !== 'lonLat') {
        crs.toLonLat(coordinates, positionCount);
        if (isOutside(crs, coordinates[0]!, coordinates[1]!))
          issues.add('outsideCrsArea', outside(file, crs));
        growBox(lonLatBox, coordinates, positionCount);
      }
      const isOnEarth = areAllDegrees(coordinates, positionCount);
      if (isOnEarth && (crs === undefined || crs.kind === 'lonLat'))
        growBox(lonLatBox, coordinates, positionCount);
      if (isOnEarth) sketch?.add(geometry);
      if (isOnEarth) farFeatures.see(coordinates, positionCount, place);
      sampler?.add(properties, isOnEarth ? geometry : undefined);
      detail.see(geometry);
    },
    collected: () => ({
      crs: named.crs(),
      isCrsUnknown: named.isUnknown(),
      types,
      withoutGeometry,
      rawBox,
      lonLatBox,
      positions: Float64Array.from(positions),
      fields,
      detail,
      farFeatures: farFeatures.find(),
    }),
  };
}

function isOutside({ area }: Crs, lon: number, lat: number): boolean {
  return Number.isNaN(lon) || (area !== undefined && !isWithin(area, [lon, lat], areaMargin));
}

const outside = (file: string, { name }: Crs) =>
  `Features of ${file} are outside the area of use of ${name}. Check whether this is the right CRS.`;
