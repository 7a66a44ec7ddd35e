import { hilbertOf } from '../hilbert/hilbert.ts';
import type { Words } from '../shape/words.ts';
import { worldBits } from '../tile/world-grid.ts';
import { recordHead } from './feature-record.ts';

/** The curve visits 2^15 × 2^15 places of a tile: finer than its units, so that even points in a heap differ. */
const curveOrder = 15;
export const curveSide = 2 ** curveOrder;

/**
 * The features of one tile along the Hilbert curve, to find those that are closest to their neighbours. Its
 * memory is some numbers per feature, kept from tile to tile.
 *
 * A feature's room is the stretch of the curve since the last feature kept before it, plus the square of its own
 * longer side, both in cells: points in a heap have none, and what is large on the map has much however crowded
 * its neighbourhood. Only features of the same layer and type crowd each other.
 */
export interface Crowd {
  begin(z: number, x: number, y: number): void;
  push(store: Words, record: number, shape: number, geometryBytes: number): void;
  /** What all that was pushed takes in the tile, roughly. */
  readonly bytes: number;
  /**
   * Keeps features with at least so much room that the others together take no more than `mostBytes` and are no more
   * than `mostFeatures`; never none at all.
   */
  choose(mostBytes: number, mostFeatures: number): void;
  /** Of the n-th that was pushed: whether it was chosen. */
  isKept(ordinal: number): boolean;
  /** For those who look at the neighbours themselves. */
  alongCurve(): AlongCurve;
}

/** By ordinal, but for `order`. */
export interface AlongCurve {
  /** The ordinals of all features, along the curve. */
  readonly order: Uint32Array;
  readonly places: Float64Array;
  readonly sizes: Float32Array;
  /** Bytes in the tile, roughly, and which of these are attributes. */
  readonly weights: Float32Array;
  readonly tagWeights: Float32Array;
  /** Small numbers: equal for features of the same layer and type, and for those of the same attributes, too. */
  readonly kins: Uint16Array;
  readonly likes: Uint32Array;
  readonly likeCount: number;
}

/** @param comparesAttributes whether `likes` are wanted */
export function createCrowd(comparesAttributes: boolean): Crowd {
  let capacity = 0;
  /** By ordinal. */
  let places = new Float64Array(0);
  let sizes = new Float32Array(0);
  let weights = new Float32Array(0);
  let kins = new Uint16Array(0);
  let kept = new Uint8Array(0);
  /** Ordinals along the curve. */
  let order = new Uint32Array(0);
  let count = 0;
  let sorted = false;
  let bytes = 0;
  let tagWeights = new Float32Array(0);
  let likes = new Uint32Array(0);
  const likeOf = new Map<number, number>();
  let minX = 0;
  let minY = 0;
  let side = 1;
  const kinOf = new Map<number, number>();
  let lasts = new Float64Array(16);

  const grow = (): void => {
    capacity = Math.max(1024, capacity * 2);
    places = enlarged(places, new Float64Array(capacity));
    sizes = enlarged(sizes, new Float32Array(capacity));
    weights = enlarged(weights, new Float32Array(capacity));
    kins = enlarged(kins, new Uint16Array(capacity));
    kept = new Uint8Array(capacity);
    tagWeights = enlarged(tagWeights, new Float32Array(capacity));
    likes = enlarged(likes, new Uint32Array(capacity));
  };
  const sort = (): void => {
    if (sorted) return;
    sorted = true;
    // Place and ordinal together in the 53 bits of one number, so that sorting needs no comparison function.
    const ordinals = 2 ** Math.ceil(Math.log2(count + 1));
    const coarser = 2 ** Math.max(0, 2 * curveOrder + Math.log2(ordinals) - 53);
    const numbers = new Float64Array(count);
    for (let i = 0; i < count; i++) numbers[i] = Math.floor(places[i]! / coarser) * ordinals + i;
    numbers.sort();
    order = Uint32Array.from(numbers, (number) => number % ordinals);
  };
  /** Whether the features with at least that much room are few and small enough. */
  const fits = (room: number, mostBytes: number, mostFeatures: number): boolean => {
    let features = 0;
    let sum = 0;
    lasts.fill(-Infinity);
    for (const i of order) {
      if (places[i]! - lasts[kins[i]!]! + sizes[i]! < room) continue;
      lasts[kins[i]!] = places[i]!;
      sum += weights[i]!;
      if (++features > mostFeatures || sum > mostBytes) return false;
    }
    return true;
  };
  const mark = (room: number, mostBytes: number, mostFeatures: number): void => {
    let features = 0;
    let sum = 0;
    lasts.fill(-Infinity);
    kept.fill(0, 0, count);
    for (const i of order) {
      if (places[i]! - lasts[kins[i]!]! + sizes[i]! < room) continue;
      if (features > 0 && (features === mostFeatures || sum + weights[i]! > mostBytes)) continue;
      lasts[kins[i]!] = places[i]!;
      kept[i] = 1;
      sum += weights[i]!;
      features++;
    }
  };

  return {
    get bytes() {
      return bytes;
    },
    begin(z, x, y) {
      count = 0;
      bytes = 0;
      sorted = false;
      kinOf.clear();
      likeOf.clear();
      side = 2 ** (worldBits - z);
      minX = x * side;
      minY = y * side;
    },
    push({ words }, record, shape, geometryBytes) {
      if (count === capacity) grow();
      const tagBytes = attributeBytes(words, record);
      weights[count] = geometryBytes + tagBytes;
      tagWeights[count] = tagBytes;
      bytes += geometryBytes + tagBytes;
      const head = words[record + 1]! & ~4;
      let kin = kinOf.get(head);
      if (kin === undefined) {
        kinOf.set(head, (kin = Math.min(65_535, kinOf.size)));
        if (kin >= lasts.length) lasts = new Float64Array(kin * 2);
      }
      kins[count] = kin;
      if (comparesAttributes) {
        const attributes = hashOfTags(words, record) * 65_536 + kin;
        let like = likeOf.get(attributes);
        if (like === undefined) likeOf.set(attributes, (like = likeOf.size));
        likes[count] = like;
      }
      // What of the box is in this very tile, so that it does not matter how much was trimmed away outside.
      const cell = curveSide / side;
      const left = inSide((words[shape + 1]! - minX) * cell);
      const top = inSide((words[shape + 2]! - minY) * cell);
      const width = inSide((words[shape + 3]! - minX) * cell) - left;
      const height = inSide((words[shape + 4]! - minY) * cell) - top;
      sizes[count] = Math.max(width, height) ** 2;
      const middleX = Math.floor(left + width / 2);
      places[count] = hilbertOf(curveOrder, middleX, Math.floor(top + height / 2));
      count++;
    },
    choose(mostBytes, mostFeatures) {
      sort();
      let low = 0;
      let high = 4 * curveSide * curveSide;
      // Halving the ratio, as rooms differ by powers of ten.
      for (let i = 0; i < 40 && high - low > 0.5; i++) {
        const room = Math.sqrt((low + 1) * (high + 1)) - 1;
        if (fits(room, mostBytes, mostFeatures)) high = room;
        else low = room;
      }
      mark(high, mostBytes, mostFeatures);
    },
    alongCurve() {
      sort();
      return { order, places, sizes, weights, tagWeights, kins, likes, likeCount: likeOf.size };
    },
    isKept: (ordinal) => kept[ordinal] === 1,
  };
}

function inSide(value: number): number {
  return Math.min(curveSide - 1, Math.max(0, value));
}

function enlarged<A extends Float64Array | Float32Array | Uint16Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** Roughly what a feature's attributes and id take in a tile; values that others have, too, are there once. */
function attributeBytes(words: Int32Array, record: number): number {
  return 8 + words[record + 4]! * 2 + words[record + 5]! / 2;
}

/** Of the keys of a record and the hashes of their values. */
function hashOfTags(words: Int32Array, record: number): number {
  let hash = 0x811c9dc5;
  const end = record + recordHead + words[record + 4]! * 2;
  for (let at = record + recordHead; at < end; at++) {
    hash = Math.imul(hash ^ words[at]!, 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}
