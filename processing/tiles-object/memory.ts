import { planMemory } from '../kit/memory-plan.ts';

/** How the job's memory budget is divided. */
export interface ObjectMemory {
  readonly workers: number;
  /** For a decoded image, of each thread. */
  readonly imageBytes: number;
  /** For readers of all threads together, as long as no tile is made. */
  readonly readerBytes: number;
}

const megabyte = 2 ** 20;

export function planObjectMemory(budgetBytes: number, maxWorkers: number): ObjectMemory {
  const { workers, bytes } = planMemory({
    budgetBytes,
    workers: maxWorkers,
    shares: {
      index: { weight: 20 },
      image: { weight: 40, isPerWorker: true, minBytes: 64 * megabyte, maxBytes: 512 * megabyte },
      tile: { weight: 40, isPerWorker: true, minBytes: 32 * megabyte },
    },
  });
  const reading = planMemory({
    budgetBytes,
    workers: maxWorkers,
    shares: { index: { weight: 20 }, readers: { weight: 80 } },
  });
  return { workers, imageBytes: bytes.image, readerBytes: reading.bytes.readers };
}
