import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { createWorkerPool } from '../../kit/worker-pool.ts';
import type { PixelMaker } from '../pyramid/make-pyramid.ts';
import {
  openUnitSource,
  type MadeUnit,
  type UnitSetup,
  type UnitSource,
  type UnitTask,
} from './unit-source.ts';

interface UnitThreads {
  /** 1: the units are made in this thread. */
  readonly threads: number;
  readonly signal: AbortSignal;
  /** The reasons why parts of sheets could not be read, by the names of these. */
  readonly broken: PixelMaker['broken'];
}

/** Opens what makes the pixels of units, here or in threads. */
export async function openUnits(
  setup: UnitSetup,
  { threads, signal, broken }: UnitThreads,
): Promise<UnitSource> {
  if (threads === 1) return openUnitSource(setup, signal, (name, reason) => broken.set(name, reason));
  const pool = createWorkerPool<UnitTask, MadeUnit, never>({
    program: new URL('unit-worker.ts', import.meta.url),
    size: threads,
    setup,
    signal,
    onReport: () => {},
  });
  /** That of a unit without data, which serves for the next. */
  const spare: PixelSquare[] = [];
  return {
    async read(place, take) {
      const square = spare.pop() ?? take();
      const buffers = [square.samples.buffer, square.mask!.buffer] as ArrayBuffer[];
      const made = await pool.run({ place, square }, buffers);
      for (const [name, reason] of made.broken) broken.set(name, reason);
      if (!made.isEmpty) return made.square;
      spare.push(made.square);
      return undefined;
    },
    close: () => pool.close(),
  };
}
