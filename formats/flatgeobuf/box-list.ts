import { hilbertOf } from '@platen/geo/hilbert/hilbert';
import type { GeometryBuffer } from '../feature/geometry-buffer.ts';

/** West, south, east, north of any number of features, four numbers each. */
export interface BoxList {
  boxes: Float64Array;
  count: number;
}

export function createBoxList(): BoxList {
  return { boxes: new Float64Array(4096), count: 0 };
}

/** Appends the box of a geometry; false, and nothing appended, if a coordinate is not finite. */
export function pushBox(list: BoxList, { coordinates, positionCount }: GeometryBuffer): boolean {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let i = 0; i < positionCount * 2; i += 2) {
    const x = coordinates[i]!;
    const y = coordinates[i + 1]!;
    // NaN if either is not a finite number.
    if (x - x + y - y !== 0) return false;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  if (positionCount === 0) return false;
  if (list.count * 4 === list.boxes.length) {
    const larger = new Float64Array(list.boxes.length * 2);
    larger.set(list.boxes);
    list.boxes = larger;
  }
  list.boxes.set([west, south, east, north], list.count * 4);
  list.count++;
  return true;
}

/** The box around all of them; undefined if there are none. */
export function boxAround({ boxes, count }: BoxList): [number, number, number, number] | undefined {
  if (count === 0) return undefined;
  const around: [number, number, number, number] = [boxes[0]!, boxes[1]!, boxes[2]!, boxes[3]!];
  for (let i = 0; i < count; i++) widen(around, 0, boxes, i * 4);
  return around;
}

/** Makes the box at `at` hold the other one too. */
// oxlint-disable-next-line max-params -- two places in two arrays, in the innermost loop
export function widen(box: Float64Array | number[], at: number, other: Float64Array, otherAt: number): void {
  if (other[otherAt]! < box[at]!) box[at] = other[otherAt]!;
  if (other[otherAt + 1]! < box[at + 1]!) box[at + 1] = other[otherAt + 1]!;
  if (other[otherAt + 2]! > box[at + 2]!) box[at + 2] = other[otherAt + 2]!;
  if (other[otherAt + 3]! > box[at + 3]!) box[at + 3] = other[otherAt + 3]!;
}

const order = 16;
const cells = 2 ** order - 1;

/** The numbers of the features along the Hilbert curve through their centres. */
export function hilbertOrder(list: BoxList, around: readonly [number, number, number, number]): Uint32Array {
  const { boxes, count } = list;
  const [west, south, east, north] = around;
  const perX = east > west ? cells / (east - west) : 0;
  const perY = north > south ? cells / (north - south) : 0;
  // Pairs of number and place on the curve, sorted as 64-bit integers, of which the place is the higher half.
  const pairs = new Uint32Array(count * 2);
  const [low, high] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];
  for (let i = 0; i < count; i++) {
    const x = Math.floor(((boxes[i * 4]! + boxes[i * 4 + 2]!) / 2 - west) * perX);
    const y = Math.floor(((boxes[i * 4 + 1]! + boxes[i * 4 + 3]!) / 2 - south) * perY);
    pairs[i * 2 + low!] = i;
    pairs[i * 2 + high!] = hilbertOf(order, x, y);
  }
  new BigUint64Array(pairs.buffer).sort();
  const features = new Uint32Array(count);
  for (let i = 0; i < count; i++) features[i] = pairs[i * 2 + low!]!;
  return features;
}
