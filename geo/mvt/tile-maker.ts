import type { ClusterOptions } from './cluster-options.ts';
import { createPointClusters } from './cluster-points.ts';
import { createCrowd } from './crowd.ts';
import { createTileEncoder, type TileEncoderOptions } from './tile-encoder.ts';
import { groupNeighbours } from './group-neighbours.ts';
import type { TileFeatures } from './tile-features.ts';
import { createTilePasses, type Place } from './tile-passes.ts';

export interface TileLayerOptions {
  readonly name: string;
  /** Points that are close to each other become one; see cluster-points.ts, and `tileMargin` for what it needs. */
  readonly cluster?: ClusterOptions | undefined;
}

/**
 * What happens to a tile beyond the limits. It is made again and again, with less in it, until it fits.
 * - keep: nothing
 * - truncate: the features that come last in the input are left out
 * - dropDensest: the features that are closest to others are left out, small ones first (see crowd.ts)
 * - coalesce: features of the same layer and type become one multi-geometry: those of equal attributes near each
 *   other first, then those that are closest to others, which lose their attributes and id to the largest of them; it
 *   stands where the last of them came. Where this is not enough, features are left out instead as by dropDensest.
 * At the highest zoom, nothing is left out or joined either unless the tile exceeds the limits.
 */
export type WhenTooLarge = 'keep' | 'truncate' | 'dropDensest' | 'coalesce';

export interface TileMakerOptions extends Omit<TileEncoderOptions, 'layers'> {
  /** In the order of the layer numbers in the records. */
  readonly layers: readonly TileLayerOptions[];
  /** Its last call within `make` is for the tile that is returned. */
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
  /** Of a packed tile. */
  readonly limitBytes: number;
  readonly limitFeatures: number;
  readonly whenTooLarge: WhenTooLarge;
}

export interface MadeTile {
  /** A Mapbox Vector Tile 2.1, valid until the next is made. */
  readonly bytes: Uint8Array;
  /** The same as `gzip` packs it. */
  readonly packed: Uint8Array;
  readonly features: number;
  /** Left out, as the unpacked tile would have been longer than `longestTileBytes`. */
  readonly refused: number;
  /** Left out, so that the tile keeps the limits. */
  readonly dropped: number;
  /** Joined to others, so that the tile keeps the limits. */
  readonly coalesced: number;
  /** Features that stand for several points, before any was dropped; some lie in the buffer. */
  readonly clusters: number;
  /** Polygons that met themselves after simplification or rounding, and were made valid. */
  readonly mended: number;
  /** Polygons so involved that they were left as they are. */
  readonly unmended: number;
}

export interface TileMaker {
  /** Undefined: nothing of the features is seen in the tile. */
  make(z: number, x: number, y: number, features: TileFeatures): MadeTile | undefined;
}

/** Each try aims a little below the limit, as less packs a little worse. */
const aim = 0.95;
const carefulTries = 5;
const mostTries = 12;
/** How much smaller a tile is packed, as long as it is not known. */
const usualPacking = 2;

export function createTileMaker(options: TileMakerOptions): TileMaker {
  const { limitBytes, limitFeatures, whenTooLarge } = options;
  const points = createPointClusters(options);
  const layers = options.layers.map(({ name }) => name);
  const encoder = createTileEncoder({ ...options, layers, keys: points.keys });
  const passes = createTilePasses(options, encoder, points);
  const crowd = createCrowd(whenTooLarge === 'coalesce');
  const fits = ({ packed, features, refused }: MadeTile): boolean =>
    packed.length <= limitBytes && features <= limitFeatures && refused === 0;

  /** Makes the tile of fewer and fewer bytes, as `makeOf` counts them, until it fits. */
  const shrink = (most: number, makeOf: (most: number) => MadeTile | undefined): MadeTile | undefined => {
    for (let tries = 1; ; tries++) {
      const made = makeOf(most);
      if (made === undefined || fits(made) || made.features <= 1 || tries === mostTries) return made;
      const share = Math.min(1, limitBytes / made.packed.length);
      most *= tries < carefulTries ? aim * share : share / 4;
    }
  };
  const truncate = (place: Place, features: TileFeatures, mostBytes: number): MadeTile | undefined =>
    shrink(mostBytes, (most) => {
      let taken = 0;
      return passes.some(place, features, () => encoder.length < most && taken++ < limitFeatures);
    });
  const dropDensest = (place: Place, features: TileFeatures, mostBytes: number): MadeTile | undefined =>
    shrink(mostBytes, (most) => {
      crowd.choose(most, limitFeatures);
      return passes.some(place, features, (ordinal) => crowd.isKept(ordinal));
    });
  const coalesce = (place: Place, features: TileFeatures): MadeTile | undefined =>
    shrink(crowd.bytes, (most) => {
      const groups = groupNeighbours(crowd.alongCurve(), most, limitFeatures);
      return groups && passes.grouped(place, features, groups);
    });

  return {
    make(z, x, y, given) {
      const place = { z, x, y };
      const features = points.of(z, x, y, given);
      const whole = passes.whole(place, features);
      if (whole !== 'hopeless' && (whole === undefined || whenTooLarge === 'keep' || fits(whole)))
        return whole;
      const share = whole === 'hopeless' ? undefined : Math.min(1, (aim * limitBytes) / whole.packed.length);
      const unpacked = limitBytes * usualPacking;
      if (whenTooLarge === 'truncate') {
        return truncate(place, features, whole === 'hopeless' ? unpacked : whole.bytes.length * share!);
      }
      passes.measure(place, features, crowd);
      return (
        (whenTooLarge === 'coalesce' ? coalesce(place, features) : undefined) ??
        dropDensest(place, features, share === undefined ? unpacked : crowd.bytes * share)
      );
    },
  };
}
