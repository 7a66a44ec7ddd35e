import { planMemory } from '../kit/memory-plan.ts';

/** How the job's memory budget is divided. In bytes, of each thread. */
export interface TerrainMemory {
  readonly budgetBytes: number;
  readonly workers: number;
  /** Blocks of the pyramid, as they are and with filled holes. */
  readonly blockBytes: number;
  /** Unpacked tiles of sheets. */
  readonly sheetBytes: number;
  /** Polygons of water. */
  readonly waterBytes: number;
}

const megabyte = 2 ** 20;

/** A height and a state for each cell. */
export function filledBlockBytes(side: number): number {
  return side * side * 5;
}

/** Blocks around a place at all zooms whose holes may be filled: with fewer in memory, each is made again and again. */
const minBlocks = 100;

/** @param side cells on a side of a block */
export function planTerrainMemory(budgetBytes: number, maxWorkers: number, side: number): TerrainMemory {
  const minBytes = Math.max(8 * megabyte, 2 * minBlocks * filledBlockBytes(side));
  const { workers, bytes } = planMemory({
    budgetBytes,
    workers: maxWorkers,
    shares: {
      blocks: { weight: 40, isPerWorker: true, minBytes, maxBytes: 128 * megabyte },
      sheets: { weight: 40, isPerWorker: true, minBytes: 8 * megabyte, maxBytes: 256 * megabyte },
      water: { weight: 5, isPerWorker: true, maxBytes: 64 * megabyte },
      // cells of a unit, their places, and the pixels around them
      unit: { weight: 20, isPerWorker: true },
    },
  });
  return {
    budgetBytes,
    workers,
    blockBytes: bytes.blocks / 2,
    sheetBytes: bytes.sheets,
    waterBytes: bytes.water,
  };
}
