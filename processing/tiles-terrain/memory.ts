import { planMemory } from '../kit/memory-plan.ts';

/** How the job's memory budget is divided. In bytes, of each thread. */
export interface TerrainMemory {
  readonly budgetBytes: number;
  readonly workers: number;
  /** Blocks of the pyramid, as they are and with filled holes. */
  readonly blockBytes: number;
  /** Unpacked tiles of sheets. */
  readonly sheetBytes: number;
}

const megabyte = 2 ** 20;

export function planTerrainMemory(budgetBytes: number, maxWorkers: number): TerrainMemory {
  const { workers, bytes } = planMemory({
    budgetBytes,
    workers: maxWorkers,
    shares: {
      blocks: { weight: 40, isPerWorker: true, minBytes: 8 * megabyte, maxBytes: 128 * megabyte },
      sheets: { weight: 40, isPerWorker: true, minBytes: 8 * megabyte, maxBytes: 256 * megabyte },
      // cells of a unit, their places, and the pixels around them
      unit: { weight: 20, isPerWorker: true },
    },
  });
  return { budgetBytes, workers, blockBytes: bytes.blocks / 2, sheetBytes: bytes.sheets };
}
