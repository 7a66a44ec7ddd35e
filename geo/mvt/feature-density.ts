import { hilbertOf } from '../hilbert/hilbert.ts';
import type { ScratchLog } from '../pmtiles/writer.ts';
import type { Int32Buffer } from '../shape/int32-buffer.ts';
import { worldBits } from '../tile/world-grid.ts';
import { createCurveRows, groupOf, placeOf } from './curve-rows.ts';
import { recordHeaderWords } from './feature-record.ts';

/** The curve has 2^15 × 2^15 cells per tile: finer than tile units, so that even points in a pile differ. */
const curveOrder = 15;
export const curveSide = 2 ** curveOrder;

/**
 * Orders the features of one tile along the Hilbert curve to find those closest to their neighbours. Its arrays are
 * reused from tile to tile: 15 bytes of each feature, 23 if attributes are compared, and 12 more while it chooses.
 *
 * The spacing of a feature is the distance along the curve from the last feature kept before it, plus the square of
 * its own longer side, both in cells: stacked points have none, and a large feature has much however dense its
 * neighbourhood is. Only features of the same layer and type compete.
 */
export interface FeatureDensity {
  begin(z: number, x: number, y: number): void;
  push(store: Int32Buffer, record: number, shape: number, geometryBytes: number): void;
  /** Estimated bytes of all pushed features in the tile. */
  readonly bytes: number;
  /** Drops the densest features until the rest fits `maxBytes` and `maxFeatures`; keeps at least one. */
  choose(maxBytes: number, maxFeatures: number): void;
  /** Whether `choose` kept the n-th feature pushed. */
  isKept(ordinal: number): boolean;
  /** The arrays behind it, for callers that compare neighbours themselves; undefined if they are in scratch logs. */
  featuresOnCurve(): FeaturesOnCurve | undefined;
}

/** Arrays indexed by ordinal (order of pushing), except `order`. */
export interface FeaturesOnCurve {
  /** The ordinals of all features in the order of the curve. */
  readonly order: Uint32Array;
  readonly places: Uint32Array;
  readonly sizes: Float32Array;
  /** Estimated bytes in the tile, and how many of them are attributes. */
  readonly weights: Float32Array;
  readonly tagWeights: Float32Array;
  /** Equal for features of the same layer and type; attributeIds also need equal attributes. */
  readonly groupIds: Uint16Array;
  readonly attributeIds: Uint32Array;
  readonly attributeIdCount: number;
}

export interface DensityOptions {
  /** Whether `attributeIds` and `tagWeights` are needed. */
  readonly comparesAttributes: boolean;
  /** Where further features go if this many are in memory. Absent: all are kept in memory. */
  readonly scratch?: DensityScratch | undefined;
}

export interface DensityScratch {
  readonly maxFeaturesInMemory: number;
  readonly open: () => ScratchLog;
}

export function createFeatureDensity({ comparesAttributes, scratch }: DensityOptions): FeatureDensity {
  const rows = scratch && createCurveRows(scratch.open);
  const maxInMemory = scratch?.maxFeaturesInMemory ?? Infinity;
  /** Ordinal of the first feature in the arrays; earlier ones are in rows. */
  let first = 0;
  let capacity = 0;
  /** Indexed by ordinal, less `first`. */
  let places = new Uint32Array(0);
  let sizes = new Float32Array(0);
  let weights = new Float32Array(0);
  let groupIds = new Uint16Array(0);
  /** A bit for each ordinal. */
  let kept = new Uint8Array(0);
  /** Ordinals in the order of the curve. */
  let order = new Uint32Array(0);
  let count = 0;
  let sorted = false;
  let bytes = 0;
  let tagWeights = new Float32Array(0);
  let attributeIds = new Uint32Array(0);
  const attributeIdOf = new Map<number, number>();
  let minX = 0;
  let minY = 0;
  let side = 1;
  const groupIdOf = new Map<number, number>();
  let lastPlaces = new Float64Array(16);

  const grow = (): void => {
    capacity = Math.min(maxInMemory, Math.max(1024, capacity * 2));
    places = enlarged(places, new Uint32Array(capacity));
    sizes = enlarged(sizes, new Float32Array(capacity));
    weights = enlarged(weights, new Float32Array(capacity));
    groupIds = enlarged(groupIds, new Uint16Array(capacity));
    if (!comparesAttributes) return;
    tagWeights = enlarged(tagWeights, new Float32Array(capacity));
    attributeIds = enlarged(attributeIds, new Uint32Array(capacity));
  };
  const sort = (): void => {
    if (sorted) return;
    sorted = true;
    // Place and ordinal share the 53 bits of one number, so that sorting needs no comparator.
    const ordinals = 2 ** Math.ceil(Math.log2(count + 1));
    const coarser = 2 ** Math.max(0, 2 * curveOrder + Math.log2(ordinals) - 53);
    const numbers = new Float64Array(count);
    for (let i = 0; i < count; i++) numbers[i] = Math.floor(places[i]! / coarser) * ordinals + i;
    numbers.sort();
    order = Uint32Array.from(numbers, (number) => number % ordinals);
  };
  const spill = (): void => {
    sort();
    rows!.add((write) => {
      for (const i of order) write(places[i]!, groupIds[i]!, [first + i, sizes[i]!, weights[i]!]);
    });
    first += count;
    count = 0;
    sorted = false;
  };
  /** Offers the features with at least this spacing in the order of the curve; only kept ones count as neighbours. */
  const walk = (
    spacing: number,
    offer: (ordinal: number, weight: number) => 'kept' | 'dropped' | 'stop',
  ): void => {
    lastPlaces.fill(-Infinity);
    if (first === 0) {
      for (const i of order) {
        if (places[i]! - lastPlaces[groupIds[i]!]! + sizes[i]! < spacing) continue;
        const answer = offer(i, weights[i]!);
        if (answer === 'stop') return;
        if (answer === 'kept') lastPlaces[groupIds[i]!] = places[i]!;
      }
      return;
    }
    for (const part of rows!.sorted()) {
      for (let at = 0; at < part.length; at += 4) {
        const [place, group] = [placeOf(part[at]!), groupOf(part[at]!)];
        if (place - lastPlaces[group]! + part[at + 2]! < spacing) continue;
        const answer = offer(part[at + 1]!, part[at + 3]!);
        if (answer === 'stop') return;
        if (answer === 'kept') lastPlaces[group] = place;
      }
    }
  };
  /** Whether the features with at least this spacing fit both limits. */
  const fits = (spacing: number, maxBytes: number, maxFeatures: number): boolean => {
    let features = 0;
    let sum = 0;
    let isWithin = true;
    walk(spacing, (_ordinal, weight) => {
      sum += weight;
      isWithin = ++features <= maxFeatures && sum <= maxBytes;
      return isWithin ? 'kept' : 'stop';
    });
    return isWithin;
  };
  const keep = (spacing: number, maxBytes: number, maxFeatures: number): void => {
    let features = 0;
    let sum = 0;
    const bytesOfBits = Math.ceil((first + count) / 8);
    if (kept.length < bytesOfBits) kept = new Uint8Array(bytesOfBits);
    else kept.fill(0, 0, bytesOfBits);
    walk(spacing, (ordinal, weight) => {
      if (features > 0 && (features === maxFeatures || sum + weight > maxBytes)) return 'dropped';
      kept[ordinal >> 3]! |= 1 << (ordinal & 7);
      sum += weight;
      features++;
      return 'kept';
    });
  };

  return {
    get bytes() {
      return bytes;
    },
    begin(z, x, y) {
      rows?.remove();
      first = 0;
      count = 0;
      bytes = 0;
      sorted = false;
      groupIdOf.clear();
      attributeIdOf.clear();
      side = 2 ** (worldBits - z);
      minX = x * side;
      minY = y * side;
    },
    push({ words }, record, shape, geometryBytes) {
      if (count === maxInMemory) spill();
      if (count === capacity) grow();
      const tagBytes = attributeBytes(words, record);
      weights[count] = geometryBytes + tagBytes;
      bytes += geometryBytes + tagBytes;
      const head = words[record + 1]! & ~4;
      let groupId = groupIdOf.get(head);
      if (groupId === undefined) {
        groupIdOf.set(head, (groupId = Math.min(65_535, groupIdOf.size)));
        if (groupId >= lastPlaces.length) lastPlaces = new Float64Array(groupId * 2);
      }
      groupIds[count] = groupId;
      if (comparesAttributes) {
        tagWeights[count] = tagBytes;
        const attributes = hashOfTags(words, record) * 65_536 + groupId;
        let attributeId = attributeIdOf.get(attributes);
        if (attributeId === undefined) attributeIdOf.set(attributes, (attributeId = attributeIdOf.size));
        attributeIds[count] = attributeId;
      }
      // Only the part of the box inside this tile counts, so the result does not depend on trimming.
      const cell = curveSide / side;
      const left = clampToSide((words[shape + 1]! - minX) * cell);
      const top = clampToSide((words[shape + 2]! - minY) * cell);
      const width = clampToSide((words[shape + 3]! - minX) * cell) - left;
      const height = clampToSide((words[shape + 4]! - minY) * cell) - top;
      sizes[count] = Math.max(width, height) ** 2;
      const middleX = Math.floor(left + width / 2);
      places[count] = hilbertOf(curveOrder, middleX, Math.floor(top + height / 2));
      count++;
    },
    choose(maxBytes, maxFeatures) {
      if (first > 0 && count > 0) spill();
      sort();
      let low = 0;
      let high = 4 * curveSide * curveSide;
      // Bisects on a logarithmic scale, as spacings differ by powers of ten.
      for (let i = 0; i < 40 && high - low > 0.5; i++) {
        const spacing = Math.sqrt((low + 1) * (high + 1)) - 1;
        if (fits(spacing, maxBytes, maxFeatures)) high = spacing;
        else low = spacing;
      }
      keep(high, maxBytes, maxFeatures);
    },
    featuresOnCurve() {
      if (first > 0) return undefined;
      sort();
      return {
        order,
        places,
        sizes,
        weights,
        tagWeights,
        groupIds,
        attributeIds,
        attributeIdCount: attributeIdOf.size,
      };
    },
    isKept: (ordinal) => (kept[ordinal >> 3]! & (1 << (ordinal & 7))) !== 0,
  };
}

function clampToSide(value: number): number {
  return Math.min(curveSide - 1, Math.max(0, value));
}

function enlarged<A extends Float64Array | Float32Array | Uint16Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** Estimated bytes of a feature's attributes and id in a tile, where equal values are stored once. */
function attributeBytes(words: Int32Array, record: number): number {
  return 8 + words[record + 4]! * 2 + words[record + 5]! / 2;
}

/** Hash of the keys of a record and the hashes of their values. */
function hashOfTags(words: Int32Array, record: number): number {
  let hash = 0x811c9dc5;
  const end = record + recordHeaderWords + words[record + 4]! * 2;
  for (let at = record + recordHeaderWords; at < end; at++) {
    hash = Math.imul(hash ^ words[at]!, 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}
