import type { JobContext } from '../job-type.ts';
import { createInlinePool } from '../kit/inline-pool.ts';
import { createWorkerPool, type WorkerPool } from '../kit/worker-pool.ts';
import { tileSide } from './encode-square.ts';
import { createImageryWorker } from './imagery-worker.ts';
import type { MadeUnit, Setup, Task } from './tasks.ts';

export type ImageryPool = WorkerPool<Task, MadeUnit>;

/** Pools that are opened when there is work for them. */
export interface ImageryPools {
  /** Threads, or none for little work unless the options ask for several. @param units that are to be made */
  poolFor(units: number): Promise<ImageryPool>;
  close(): Promise<void>;
}

/** A thread takes longer to start than to make so many pixels, */
const maxInlinePixels = 2 ** 21;
/** and so many for each of the sheets, which it has to get to know. */
const maxInlinePixelsOfSheet = 512;
/** An abort is noticed between two units. */
const maxInlineUnitPixels = 2 ** 20;

export function openPools(setup: Omit<Setup, 'worker'>, { signal }: JobContext): ImageryPools {
  const { shape, settings, memory, sheets } = setup;
  const unitPixels = (tileSide * 2 ** (shape.depth - 1)) ** 2;
  const inlinePixels = maxInlinePixels + maxInlinePixelsOfSheet * sheets.length;
  const isInline = (units: number): boolean =>
    (settings.workers ?? 1) === 1 && unitPixels <= maxInlineUnitPixels && units * unitPixels <= inlinePixels;
  let inline: ImageryPool | undefined;
  let threads: ImageryPool | undefined;
  return {
    async poolFor(units) {
      if (!threads && isInline(units)) {
        inline ??= createInlinePool({ ...(await createImageryWorker({ ...setup, worker: 0 })), signal });
        return inline;
      }
      threads ??= createWorkerPool<Task, MadeUnit, never>({
        program: new URL('worker.ts', import.meta.url),
        size: Math.min(memory.workers, units),
        setup,
        signal,
        onReport: () => {},
      });
      return threads;
    },
    async close() {
      await Promise.all([inline?.close(), threads?.close()]);
    },
  };
}
