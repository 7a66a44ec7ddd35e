import { hilbertOf } from '../hilbert/hilbert.ts';
import type { Words } from '../shape/words.ts';
import { worldBits } from '../tile/world-grid.ts';

/** The curve visits 2^15 × 2^15 places of a tile: finer than its units, so that even points in a heap differ. */
const curveOrder = 15;
const curveSide = 2 ** curveOrder;

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
  /** @param bytes what it takes in the tile; 0 if it has no say, as it is not seen */
  push(store: Words, record: number, shape: number, bytes: number): void;
  /** Of all that was pushed. */
  readonly bytes: number;
  /**
   * Keeps features with at least so much room that the others together take no more than `mostBytes` and are no more
   * than `mostFeatures`; never none at all.
   */
  choose(mostBytes: number, mostFeatures: number): void;
  /** Of the n-th that was pushed: whether it was chosen, or has no say. */
  isKept(ordinal: number): boolean;
  /** How many are seen but were not chosen. */
  readonly left: number;
}

export function createCrowd(): Crowd {
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
  let seen = 0;
  let sorted = false;
  let bytes = 0;
  let left = 0;
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
  };
  const sort = (): void => {
    if (sorted) return;
    sorted = true;
    // Place and ordinal together in the 53 bits of one number, so that sorting needs no comparison function.
    const ordinals = 2 ** Math.ceil(Math.log2(count + 1));
    const coarser = 2 ** Math.max(0, 2 * curveOrder + Math.log2(ordinals) - 53);
    const numbers = new Float64Array(seen);
    for (let i = 0, at = 0; i < count; i++) {
      if (weights[i]! > 0) numbers[at++] = Math.floor(places[i]! / coarser) * ordinals + i;
    }
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
    for (let i = 0; i < count; i++) kept[i] = weights[i]! > 0 ? 0 : 1;
    for (const i of order) {
      if (places[i]! - lasts[kins[i]!]! + sizes[i]! < room) continue;
      if (features > 0 && (features === mostFeatures || sum + weights[i]! > mostBytes)) continue;
      lasts[kins[i]!] = places[i]!;
      kept[i] = 1;
      sum += weights[i]!;
      features++;
    }
    left = order.length - features;
  };

  return {
    get bytes() {
      return bytes;
    },
    get left() {
      return left;
    },
    begin(z, x, y) {
      count = 0;
      seen = 0;
      bytes = 0;
      left = 0;
      sorted = false;
      kinOf.clear();
      side = 2 ** (worldBits - z);
      minX = x * side;
      minY = y * side;
    },
    push({ words }, record, shape, weight) {
      if (count === capacity) grow();
      weights[count] = weight;
      if (weight > 0) {
        seen++;
        bytes += weight;
        const head = words[record + 1]! & ~4;
        let kin = kinOf.get(head);
        if (kin === undefined) {
          kinOf.set(head, (kin = Math.min(65_535, kinOf.size)));
          if (kin >= lasts.length) lasts = new Float64Array(kin * 2);
        }
        kins[count] = kin;
        // What of the box is in this very tile, so that it does not matter how much was trimmed away outside.
        const cell = curveSide / side;
        const left = inSide((words[shape + 1]! - minX) * cell);
        const top = inSide((words[shape + 2]! - minY) * cell);
        const width = inSide((words[shape + 3]! - minX) * cell) - left;
        const height = inSide((words[shape + 4]! - minY) * cell) - top;
        sizes[count] = Math.max(width, height) ** 2;
        const middleX = Math.floor(left + width / 2);
        places[count] = hilbertOf(curveOrder, middleX, Math.floor(top + height / 2));
      }
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
    isKept: (ordinal) => kept[ordinal] === 1,
  };
}

function inSide(value: number): number {
  return Math.min(curveSide - 1, Math.max(0, value));
}

function enlarged<A extends Float64Array | Float32Array | Uint16Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
