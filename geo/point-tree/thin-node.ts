import { ChosenPoints } from './chosen-points.ts';
import type { Cloud } from './cloud.ts';

/** Points of a voxel that are tried, the nearest first; none that is too near to what was in the way of one before. */
const maxTries = 4;

/**
 * Chooses points of a node that are spread evenly: of each voxel the one nearest to its centre, which is moved by chance so that no pattern
 * of the grid appears, unless it is too near to one that was chosen before; then the next one.
 */
export interface Thinner {
  /**
   * @param candidates numbers of points of the node, in Morton order @param voxelShift bits of a voxel's side
   * @returns those that were chosen, in the same order
   */
  choose(cloud: Cloud, candidates: Uint32Array, voxelShift: number): Uint32Array;
}

/** A number from 0 to 1 that depends on a voxel alone. */
function chanceOf(x: number, y: number, z: number, salt: number): number {
  let hash =
    Math.imul(x, 0x9e37_79b1) ^
    Math.imul(y, 0x85eb_ca6b) ^
    Math.imul(z, 0xc2b2_ae35) ^
    Math.imul(salt, 0x27d4_eb2f);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb_352d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846c_a68b);
  hash ^= hash >>> 16;
  return (hash >>> 0) / 2 ** 32;
}

/** @param corner of the cube that coordinates count from, in units: chance depends on where voxels are, not on the cube */
export function createThinner(corner: readonly number[]): Thinner {
  const chooser = new VoxelChooser(corner);
  let chosen = new Uint32Array(0);
  return {
    choose({ columns }, candidates, voxelShift) {
      if (chosen.length < candidates.length) chosen = new Uint32Array(candidates.length);
      chooser.start(columns, candidates, voxelShift);
      let count = 0;
      for (let start = 0; start < candidates.length;) {
        start = chooser.choose(start);
        if (chooser.chosen >= 0) chosen[count++] = chooser.chosen;
      }
      return chosen.slice(0, count);
    },
  };
}

/** Chooses the points of a node, voxel by voxel: code that is run often and by itself is compiled early, and once. */
class VoxelChooser {
  /** The point of the last voxel, or -1. */
  chosen = -1;
  readonly #corner: readonly number[];
  readonly #kept = new ChosenPoints();
  #candidates: Uint32Array = new Uint32Array(0);
  /** To the moved centre of the voxel, squared. */
  #distances = new Float64Array(0);
  #xs: Uint32Array = new Uint32Array(0);
  #ys: Uint32Array = new Uint32Array(0);
  #zs: Uint32Array = new Uint32Array(0);
  #shift = 0;
  #size = 0;
  /** The corner in voxels. */
  #west = 0;
  #south = 0;
  #bottom = 0;

  constructor(corner: readonly number[]) {
    this.#corner = corner;
  }

  start(columns: readonly Uint32Array[], candidates: Uint32Array, voxelShift: number): void {
    const size = 2 ** voxelShift;
    this.#kept.start(columns, voxelShift);
    this.#candidates = candidates;
    if (this.#distances.length < candidates.length) this.#distances = new Float64Array(candidates.length);
    this.#xs = columns[0]!;
    this.#ys = columns[1]!;
    this.#zs = columns[2]!;
    this.#shift = voxelShift;
    this.#size = size;
    this.#west = (this.#corner[0]! / size) | 0;
    this.#south = (this.#corner[1]! / size) | 0;
    this.#bottom = (this.#corner[2]! / size) | 0;
  }

  /** Chooses a point of the voxel whose first candidate this is. @returns the first candidate of the next voxel */
  choose(start: number): number {
    const candidates = this.#candidates;
    const end = this.#endOfVoxel(start);
    let best = end - start > 1 ? this.#nearest(start, end) : start;
    if (end - start === 1) this.#distances[start] = 0;
    this.chosen = -1;
    for (let tries = 0; tries < maxTries && best >= 0; tries++) {
      const point = candidates[best]!;
      const near = this.#kept.nearTo(point);
      if (near < 0) {
        this.#kept.add(point);
        this.chosen = point;
        break;
      }
      best = this.#nextBest(start, end, near);
    }
    return end;
  }

  #endOfVoxel(start: number): number {
    const candidates = this.#candidates;
    const [xs, ys, zs, shift] = [this.#xs, this.#ys, this.#zs, this.#shift];
    const first = candidates[start]!;
    const [x, y, z] = [xs[first]!, ys[first]!, zs[first]!];
    let end = start + 1;
    for (; end < candidates.length; end++) {
      const point = candidates[end]!;
      if (((xs[point]! ^ x) | (ys[point]! ^ y) | (zs[point]! ^ z)) >>> shift !== 0) break;
    }
    return end;
  }

  /** The candidate nearest to the moved centre of their voxel. */
  #nearest(start: number, end: number): number {
    const candidates = this.#candidates;
    const distances = this.#distances;
    const [xs, ys, zs, shift, size] = [this.#xs, this.#ys, this.#zs, this.#shift, this.#size];
    const first = candidates[start]!;
    const x = (xs[first]! >>> shift) + this.#west;
    const y = (ys[first]! >>> shift) + this.#south;
    const z = (zs[first]! >>> shift) + this.#bottom;
    const cx = chanceOf(x, y, z, 1 + shift) * size;
    const cy = chanceOf(x, y, z, 65 + shift) * size;
    const cz = chanceOf(x, y, z, 129 + shift) * size;
    const mask = size - 1;
    let best = start;
    let nearest = Infinity;
    for (let i = start; i < end; i++) {
      const point = candidates[i]!;
      const dx = (xs[point]! & mask) - cx;
      const dy = (ys[point]! & mask) - cy;
      const dz = (zs[point]! & mask) - cz;
      const distance = dx * dx + dy * dy + dz * dz;
      distances[i] = distance;
      if (distance < nearest) {
        nearest = distance;
        best = i;
      }
    }
    return best;
  }

  /** Leaves out candidates that are too near to a chosen point. @returns the nearest of the others, or -1 */
  #nextBest(start: number, end: number, near: number): number {
    const candidates = this.#candidates;
    const distances = this.#distances;
    let best = -1;
    let nearest = Infinity;
    for (let i = start; i < end; i++) {
      const distance = distances[i]!;
      if (distance === Infinity) continue;
      if (this.#kept.isNear(candidates[i]!, near)) distances[i] = Infinity;
      else if (distance < nearest) {
        nearest = distance;
        best = i;
      }
    }
    return best;
  }
}
