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
  const kept = new ChosenPoints();
  let chosen = new Uint32Array(0);
  let distances = new Float64Array(0);
  return {
    choose({ columns }, candidates, voxelShift) {
      const [xs, ys, zs] = [columns[0]!, columns[1]!, columns[2]!];
      const size = 2 ** voxelShift;
      const mask = size - 1;
      const [west, south, bottom] = corner.map((place) => (place / size) | 0);
      if (chosen.length < candidates.length) {
        chosen = new Uint32Array(candidates.length);
        distances = new Float64Array(candidates.length);
      }
      kept.start(columns, voxelShift);
      let count = 0;
      for (let start = 0; start < candidates.length;) {
        const first = candidates[start]!;
        const x = xs[first]! >>> voxelShift;
        const y = ys[first]! >>> voxelShift;
        const z = zs[first]! >>> voxelShift;
        let best = start;
        let end = start + 1;
        const next = candidates[end];
        if (
          next !== undefined &&
          xs[next]! >>> voxelShift === x &&
          ys[next]! >>> voxelShift === y &&
          zs[next]! >>> voxelShift === z
        ) {
          const [ax, ay, az] = [x + west!, y + south!, z + bottom!];
          const cx = chanceOf(ax, ay, az, 1 + voxelShift) * size;
          const cy = chanceOf(ax, ay, az, 65 + voxelShift) * size;
          const cz = chanceOf(ax, ay, az, 129 + voxelShift) * size;
          let nearest = Infinity;
          for (end = start; end < candidates.length; end++) {
            const point = candidates[end]!;
            const [px, py, pz] = [xs[point]!, ys[point]!, zs[point]!];
            if (px >>> voxelShift !== x || py >>> voxelShift !== y || pz >>> voxelShift !== z) break;
            const dx = (px & mask) - cx;
            const dy = (py & mask) - cy;
            const dz = (pz & mask) - cz;
            const distance = dx * dx + dy * dy + dz * dz;
            distances[end] = distance;
            if (distance < nearest) {
              nearest = distance;
              best = end;
            }
          }
        } else distances[start] = 0;
        for (let tries = 1; ; tries++) {
          const point = candidates[best]!;
          const near = kept.nearTo(point);
          if (near < 0) {
            kept.add(point);
            chosen[count++] = point;
            break;
          }
          if (tries === maxTries) break;
          let nearest = Infinity;
          for (let i = start; i < end; i++) {
            const distance = distances[i]!;
            if (distance === Infinity) continue;
            // those that are too near to the same one are left out for good
            if (kept.isNear(candidates[i]!, near)) distances[i] = Infinity;
            else if (distance < nearest) {
              nearest = distance;
              best = i;
            }
          }
          if (nearest === Infinity) break;
        }
        start = end;
      }
      return chosen.slice(0, count);
    },
  };
}
