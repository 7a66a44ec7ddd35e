import { keysRecord, type WrittenPoint } from '@platen/formats/las/testing';
import type { TilesPointcloudOptions } from './spec.ts';

/** ETRS89 / UTM zone 32N. */
export const utm = keysRecord([
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
]);

/** Numbers that look random. */
export function noise(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A hilly surface with houses. */
export function town(count: number, seed = 1, [east, north] = [500_000, 5_400_000]): WrittenPoint[] {
  const random = noise(seed);
  return Array.from({ length: count }, () => {
    const [x, y] = [Math.round(random() * 20_000) / 100, Math.round(random() * 15_000) / 100];
    const isHouse = Math.floor(x / 20) % 3 === 0 && Math.floor(y / 20) % 3 === 0;
    const z = 100 + Math.sin(x / 30) * 5 + (isHouse ? 8 : 0);
    return {
      x: east + x,
      y: north + y,
      z: Math.round(z * 100) / 100,
      intensity: Math.floor(random() * 4000),
      classification: isHouse ? 6 : 2,
      colour: [Math.floor(random() * 256), 120, 200] as const,
    };
  });
}

/** Small tiles, so that few points become a tree. */
export const small = {
  tiling: { pointsPerTile: 5000 },
  heights: { vertical: 'ellipsoid' },
} satisfies TilesPointcloudOptions;

/** So little memory that a hundred thousand points are several buckets. */
export const littleMemory = { limits: { memoryMegabytes: 40 } };
