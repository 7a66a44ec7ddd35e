import type { Words } from '../shape/words.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { createPointClusters } from './cluster-points.ts';
import { createCrowd } from './crowd.ts';
import { createTileEncoder, type TileEncoderOptions } from './tile-encoder.ts';
import type { TileFeatures } from './tile-features.ts';

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
 */
export type WhenTooLarge = 'keep' | 'truncate' | 'dropDensest';

export interface TileMakerOptions extends Omit<TileEncoderOptions, 'layers'> {
  /** In the order of the layer numbers in the records. */
  readonly layers: readonly TileLayerOptions[];
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
/** How much smaller a tile is packed: what is assumed at first, and what none reaches. */
const usualPacking = 2;
const bestPacking = 64;

type Attempt = MadeTile;

interface Place {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export function createTileMaker(options: TileMakerOptions): TileMaker {
  const { gzip, limitBytes, limitFeatures, whenTooLarge } = options;
  const points = createPointClusters(options);
  const layers = options.layers.map(({ name }) => name);
  const encoder = createTileEncoder({ ...options, layers, keys: points.keys });
  const crowd = createCrowd();
  const isLimited = whenTooLarge !== 'keep';
  const fits = ({ packed, features, refused }: Attempt): boolean =>
    packed.length <= limitBytes && features <= limitFeatures && refused === 0;

  const finish = (features: number, refused: number, dropped: number): Attempt | undefined => {
    const bytes = encoder.finish();
    return (
      bytes && {
        bytes,
        packed: gzip(bytes),
        features,
        refused,
        dropped,
        clusters: points.count,
        mended: encoder.mended,
        unmended: encoder.unmended,
      }
    );
  };
  /** Undefined: it is empty; 'hopeless': it was given up before its end, as it can keep no limit. */
  const makeWhole = ({ z, x, y }: Place, features: TileFeatures): Attempt | 'hopeless' | undefined => {
    let count = 0;
    let refused = 0;
    let isHopeless = false;
    encoder.begin(z, x, y);
    features.each((store, record, shape) => {
      if (isHopeless) return;
      const added = encoder.add(store, record, shape);
      if (added === 'outside') return;
      if (added === 'added') count++;
      else refused++;
      isHopeless =
        isLimited && (refused > 0 || count > limitFeatures || encoder.length > limitBytes * bestPacking);
    });
    return isHopeless ? 'hopeless' : finish(count, refused, 0);
  };
  const makePart = (
    { z, x, y }: Place,
    features: TileFeatures,
    isTaken: (ordinal: number) => boolean,
  ): Attempt | undefined => {
    let ordinal = 0;
    let count = 0;
    let refused = 0;
    let dropped = 0;
    encoder.begin(z, x, y);
    features.each((store, record, shape) => {
      const encoded = encoder.encode(store, record, shape);
      const own = ordinal++;
      if (encoded === undefined) return;
      if (!isTaken(own)) dropped++;
      else if (encoder.write(store, record, encoded) === 'added') count++;
      else refused++;
    });
    return finish(count, refused, dropped);
  };
  /** Makes the tile of fewer and fewer bytes, as `makeOf` counts them, until it fits. */
  const shrink = (most: number, makeOf: (most: number) => Attempt | undefined): Attempt | undefined => {
    for (let tries = 1; ; tries++) {
      const attempt = makeOf(most);
      if (attempt === undefined || fits(attempt) || attempt.features <= 1 || tries === mostTries)
        return attempt;
      const share = Math.min(1, limitBytes / attempt.packed.length);
      most *= tries < carefulTries ? aim * share : share / 4;
    }
  };

  const truncate = (place: Place, features: TileFeatures, mostBytes: number): Attempt | undefined =>
    shrink(mostBytes, (most) => {
      let taken = 0;
      return makePart(place, features, () => encoder.length < most && taken++ < limitFeatures);
    });
  const measure = ({ z, x, y }: Place, features: TileFeatures): void => {
    crowd.begin(z, x, y);
    encoder.begin(z, x, y);
    features.each((store, record, shape) => {
      const encoded = encoder.encode(store, record, shape);
      const bytes = encoded === undefined ? 0 : encoded.length + attributeBytes(store, record);
      crowd.push(store, record, shape, bytes);
    });
  };
  const dropDensest = (place: Place, features: TileFeatures, mostBytes: number): Attempt | undefined =>
    shrink(mostBytes, (most) => {
      crowd.choose(most, limitFeatures);
      return makePart(place, features, (ordinal) => crowd.isKept(ordinal));
    });

  return {
    make(z, x, y, given) {
      const features = points.of(z, x, y, given);
      const place = { z, x, y };
      const whole = makeWhole(place, features);
      if (whole !== 'hopeless' && (whole === undefined || !isLimited || fits(whole))) return whole;
      const share = whole === 'hopeless' ? undefined : Math.min(1, (aim * limitBytes) / whole.packed.length);
      const length = whole === 'hopeless' ? 0 : whole.bytes.length;
      const guess = limitBytes * usualPacking;
      if (whenTooLarge === 'truncate')
        return truncate(place, features, share === undefined ? guess : length * share);
      measure(place, features);
      return dropDensest(place, features, share === undefined ? guess : crowd.bytes * share);
    },
  };
}

/** Roughly what a feature's attributes and id take in a tile; values that others have, too, are there once. */
function attributeBytes({ words }: Words, record: number): number {
  return 8 + words[record + 4]! * 2 + words[record + 5]! / 2;
}
