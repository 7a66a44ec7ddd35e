import { voxelBits, type Cloud } from './cloud.ts';

const side = 1 << voxelBits;
/** Times the spacing that points of a node are apart at least. */
const minDistance = 0.7;
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
  /** The chosen point of each voxel of the node plus one, or 0. */
  const chosenOf = new Int32Array(side ** 3);
  let chosen = new Uint32Array(0);
  let voxels = new Int32Array(0);
  let distances = new Float64Array(0);
  return {
    choose({ columns }, candidates, voxelShift) {
      const [xs, ys, zs] = [columns[0]!, columns[1]!, columns[2]!];
      const size = 2 ** voxelShift;
      const mask = size - 1;
      const minSquare = (minDistance * size) ** 2;
      if (chosen.length < candidates.length) {
        chosen = new Uint32Array(candidates.length);
        voxels = new Int32Array(candidates.length);
        distances = new Float64Array(candidates.length);
      }
      let count = 0;
      const reach = Math.ceil(minDistance * size);
      /** The voxels of an axis, within the node, that are near enough to a place. */
      const lowest = (place: number): number =>
        Math.max(0, ((place >>> voxelShift) & (side - 1)) - ((place & mask) < reach ? 1 : 0));
      const highest = (place: number): number =>
        Math.min(side - 1, ((place >>> voxelShift) & (side - 1)) + ((place & mask) + reach >= size ? 1 : 0));
      /** A chosen point that a point is too near to, or -1. */
      const blockerOf = (point: number): number => {
        const x = xs[point]!;
        const y = ys[point]!;
        const z = zs[point]!;
        const [left, right, back, top] = [lowest(x), highest(x), highest(y), highest(z)];
        for (let k = lowest(z); k <= top; k++) {
          for (let j = lowest(y); j <= back; j++) {
            const row = (k << (2 * voxelBits)) | (j << voxelBits);
            for (let i = left; i <= right; i++) {
              const other = chosenOf[row | i]! - 1;
              if (other < 0) continue;
              const dx = xs[other]! - x;
              const dy = ys[other]! - y;
              const dz = zs[other]! - z;
              if (dx * dx + dy * dy + dz * dz < minSquare) return other;
            }
          }
        }
        return -1;
      };
      /** Leaves out points that are too near to a chosen one. */
      const leaveNear = (other: number, start: number, end: number): void => {
        const [x, y, z] = [xs[other]!, ys[other]!, zs[other]!];
        for (let i = start; i < end; i++) {
          const point = candidates[i]!;
          const dx = xs[point]! - x;
          const dy = ys[point]! - y;
          const dz = zs[point]! - z;
          if (dx * dx + dy * dy + dz * dz < minSquare) distances[i] = Infinity;
        }
      };
      for (let start = 0; start < candidates.length;) {
        const first = candidates[start]!;
        const x = xs[first]! >>> voxelShift;
        const y = ys[first]! >>> voxelShift;
        const z = zs[first]! >>> voxelShift;
        const ax = x + corner[0]! / size;
        const ay = y + corner[1]! / size;
        const az = z + corner[2]! / size;
        const cx = chanceOf(ax, ay, az, 1 + voxelShift) * size;
        const cy = chanceOf(ax, ay, az, 65 + voxelShift) * size;
        const cz = chanceOf(ax, ay, az, 129 + voxelShift) * size;
        let end = start;
        for (; end < candidates.length; end++) {
          const point = candidates[end]!;
          if (
            xs[point]! >>> voxelShift !== x ||
            ys[point]! >>> voxelShift !== y ||
            zs[point]! >>> voxelShift !== z
          )
            break;
          distances[end] =
            ((xs[point]! & mask) - cx) ** 2 +
            ((ys[point]! & mask) - cy) ** 2 +
            ((zs[point]! & mask) - cz) ** 2;
        }
        for (let tries = 0; tries < Math.min(maxTries, end - start); tries++) {
          let best = start;
          for (let i = start + 1; i < end; i++) if (distances[i]! < distances[best]!) best = i;
          if (distances[best] === Infinity) break;
          const point = candidates[best]!;
          const blocker = blockerOf(point);
          if (blocker >= 0) {
            leaveNear(blocker, start, end);
            continue;
          }
          const voxel =
            ((z & (side - 1)) << (2 * voxelBits)) | ((y & (side - 1)) << voxelBits) | (x & (side - 1));
          chosenOf[voxel] = point + 1;
          voxels[count] = voxel;
          chosen[count++] = point;
          break;
        }
        start = end;
      }
      for (let i = 0; i < count; i++) chosenOf[voxels[i]!] = 0;
      return chosen.slice(0, count);
    },
  };
}
