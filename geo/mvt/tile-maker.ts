import type { ClusterOptions } from './cluster-options.ts';
import { createPointClusters } from './cluster-points.ts';
import { createFeatureDensity, type DensityScratch } from './feature-density.ts';
import { createTileEncoder, type TileEncoderOptions } from './tile-encoder.ts';
import { groupNeighbours } from './group-neighbours.ts';
import type { MadeTile } from './made-tile.ts';
import type { TileFeatures } from './tile-features.ts';
import { createTilePasses, type TileCoordinates } from './tile-passes.ts';

export interface TileLayerOptions {
  readonly name: string;
  /** Clusters points that are close to each other: see cluster-points.ts, and `tileMargin` for what it needs. */
  readonly cluster?: ClusterOptions | undefined;
}

/**
 * What happens to a tile that exceeds the limits. It is encoded again with less in it until it fits.
 * - keep: nothing
 * - truncate: the last features of the input are left out
 * - dropDensest: the features closest to others are left out, small ones first (feature-density.ts)
 * - coalesce: features of the same layer and type are merged into one multi-geometry: first those of equal attributes near each other, then those closest to others, which lose their attributes and id to the largest; it takes the place of the last one. Where this is not enough, features are dropped as by dropDensest.
 * At the highest zoom, too, nothing is left out or merged unless the tile exceeds the limits.
 */
export type OversizeStrategy = 'keep' | 'truncate' | 'dropDensest' | 'coalesce';

export interface TileMakerOptions extends Omit<TileEncoderOptions, 'layers'> {
  /** Indexed by the layer numbers of the records. */
  readonly layers: readonly TileLayerOptions[];
  /** Its last call within `make` is for the tile returned. */
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
  /** Maximum size of a compressed tile. */
  readonly limitBytes: number;
  readonly limitFeatures: number;
  readonly whenTooLarge: OversizeStrategy;
  /** For tiles with so many features that their density is not measured in memory. They are not coalesced. */
  readonly densityScratch?: DensityScratch;
}

export interface TileMaker {
  /** @returns undefined if no feature is visible in the tile */
  make(z: number, x: number, y: number, features: TileFeatures): MadeTile | undefined;
}

/** Each attempt aims a little below the limit, as smaller tiles compress slightly worse. */
const targetShare = 0.95;
const gentleAttempts = 5;
const maxAttempts = 12;
/** Assumed compression ratio while it is unknown. */
const typicalCompression = 2;

export function createTileMaker(options: TileMakerOptions): TileMaker {
  const { limitBytes, limitFeatures, whenTooLarge } = options;
  const points = createPointClusters(options);
  const layers = options.layers.map(({ name }) => name);
  const encoder = createTileEncoder({ ...options, layers, keys: points.keys });
  const passes = createTilePasses(options, encoder, points);
  const density = createFeatureDensity({
    comparesAttributes: whenTooLarge === 'coalesce',
    scratch: options.densityScratch,
  });
  const fits = ({ packed, features, refused }: MadeTile): boolean =>
    packed.length <= limitBytes && features <= limitFeatures && refused === 0;

  /** Encodes the tile with fewer and fewer bytes, as `makeOf` counts them, until it fits. */
  const shrink = (
    targetBytes: number,
    makeOf: (targetBytes: number) => MadeTile | undefined,
  ): MadeTile | undefined => {
    for (let attempt = 1; ; attempt++) {
      const made = makeOf(targetBytes);
      if (made === undefined || fits(made) || made.features <= 1 || attempt === maxAttempts) return made;
      const share = Math.min(1, limitBytes / made.packed.length);
      targetBytes *= attempt < gentleAttempts ? targetShare * share : share / 4;
    }
  };
  const truncate = (tile: TileCoordinates, features: TileFeatures, maxBytes: number): MadeTile | undefined =>
    shrink(maxBytes, (targetBytes) => {
      let count = 0;
      return passes.some(tile, features, () => encoder.length < targetBytes && count++ < limitFeatures);
    });
  const dropDensest = (
    place: TileCoordinates,
    features: TileFeatures,
    maxBytes: number,
  ): MadeTile | undefined =>
    shrink(maxBytes, (targetBytes) => {
      density.choose(targetBytes, limitFeatures);
      return passes.some(place, features, (ordinal) => density.isKept(ordinal));
    });
  const coalesce = (place: TileCoordinates, features: TileFeatures): MadeTile | undefined =>
    shrink(density.bytes, (targetBytes) => {
      const onCurve = density.featuresOnCurve();
      const groups = onCurve && groupNeighbours(onCurve, targetBytes, limitFeatures);
      return groups && passes.grouped(place, features, groups);
    });

  return {
    make(z, x, y, input) {
      const place = { z, x, y };
      const features = points.replacePoints(z, x, y, input);
      const whole = passes.all(place, features);
      if (whole !== 'oversize' && (whole === undefined || whenTooLarge === 'keep' || fits(whole)))
        return whole;
      const share =
        whole === 'oversize' ? undefined : Math.min(1, (targetShare * limitBytes) / whole.packed.length);
      const unpacked = limitBytes * typicalCompression;
      if (whenTooLarge === 'truncate') {
        return truncate(place, features, whole === 'oversize' ? unpacked : whole.bytes.length * share!);
      }
      passes.measure(place, features, density);
      return (
        (whenTooLarge === 'coalesce' ? coalesce(place, features) : undefined) ??
        dropDensest(place, features, share === undefined ? unpacked : density.bytes * share)
      );
    },
  };
}
