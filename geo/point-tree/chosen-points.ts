import { voxelBits } from './cloud.ts';

const side = 1 << voxelBits;
const lastVoxel = side - 1;
/** Voxels of a row along x that a word holds, a bit each. */
const wordBits = 5;
const wordVoxels = 1 << wordBits;
const rowWords = side >>> wordBits;
/** Times the spacing that points of a node are apart at least. */
const minDistance = 0.7;

/** Points of a node that are far enough from each other: each voxel has one at most. */
export class ChosenPoints {
  /** A bit for each voxel that has a point: few enough to stay in the processor's cache. */
  readonly #taken = new Int32Array(side * side * rowWords);
  readonly #pointOf = new Uint32Array(side ** 3);
  #xs: Uint32Array = new Uint32Array(0);
  #ys: Uint32Array = new Uint32Array(0);
  #zs: Uint32Array = new Uint32Array(0);
  #shift = 0;
  #mask = 0;
  /** Of a place within its voxel: below the one, it is near to the voxel before, from the other on to the next one. */
  #reach = 0;
  #farReach = 0;
  #minSquare = 0;

  /** Forgets all points. @param voxelShift bits of a voxel's side */
  start(columns: readonly Uint32Array[], voxelShift: number): void {
    const size = 2 ** voxelShift;
    this.#taken.fill(0);
    this.#xs = columns[0]!;
    this.#ys = columns[1]!;
    this.#zs = columns[2]!;
    this.#shift = voxelShift;
    this.#mask = size - 1;
    this.#reach = Math.ceil(minDistance * size);
    this.#farReach = size - this.#reach;
    this.#minSquare = (minDistance * size) ** 2;
  }

  add(point: number): void {
    const shift = this.#shift;
    const x = (this.#xs[point]! >>> shift) & lastVoxel;
    const y = (this.#ys[point]! >>> shift) & lastVoxel;
    const z = (this.#zs[point]! >>> shift) & lastVoxel;
    const row = (z << voxelBits) | y;
    this.#taken[row * rowWords + (x >>> wordBits)]! |= 1 << (x & (wordVoxels - 1));
    this.#pointOf[(row << voxelBits) | x] = point;
  }

  isNear(one: number, other: number): boolean {
    const dx = this.#xs[one]! - this.#xs[other]!;
    const dy = this.#ys[one]! - this.#ys[other]!;
    const dz = this.#zs[one]! - this.#zs[other]!;
    return dx * dx + dy * dy + dz * dz < this.#minSquare;
  }

  /** A chosen point that a point is too near to, or -1. */
  nearTo(point: number): number {
    const x = this.#xs[point]!;
    const y = this.#ys[point]!;
    const z = this.#zs[point]!;
    const left = this.#lowest(x);
    const width = this.#highest(x) - left + 1;
    const front = this.#lowest(y);
    const back = this.#highest(y);
    const top = this.#highest(z);
    const taken = this.#taken;
    const bit = left & (wordVoxels - 1);
    const mask = (1 << width) - 1;
    for (let k = this.#lowest(z); k <= top; k++) {
      for (let j = front; j <= back; j++) {
        const row = (k << voxelBits) | j;
        const word = row * rowWords + (left >>> wordBits);
        let bits = taken[word]! >>> bit;
        if (bit + width > wordVoxels) bits |= taken[word + 1]! << (wordVoxels - bit);
        for (bits &= mask; bits !== 0; bits &= bits - 1) {
          const other = this.#pointOf[(row << voxelBits) | (left + 31 - Math.clz32(bits & -bits))]!;
          if (this.isNear(point, other)) return other;
        }
      }
    }
    return -1;
  }

  /** The voxels of an axis, within the node, that are near enough to a place. */
  #lowest(place: number): number {
    const voxel = (place >>> this.#shift) & lastVoxel;
    return voxel > 0 && (place & this.#mask) < this.#reach ? voxel - 1 : voxel;
  }

  #highest(place: number): number {
    const voxel = (place >>> this.#shift) & lastVoxel;
    return voxel < lastVoxel && (place & this.#mask) >= this.#farReach ? voxel + 1 : voxel;
  }
}
