import { planMemory } from '../kit/memory-plan.ts';

/** How the job's memory budget is divided. In bytes. */
export interface RasterMemory {
  /** Units that are packed at a time, by threads of native code. */
  readonly workers: number;
  /** Unpacked blocks of sheets; of each thread that reads them. */
  readonly sheetBytes: number;
  /** Units of overviews that are unfinished. */
  readonly pendingBytes: number;
}

/** For numbers, whose units are as large as memory allows. */
export interface AnalysisMemory extends RasterMemory {
  /** One unit. */
  readonly squareBytes: number;
}

const megabyte = 2 ** 20;
/** The one being read, and of each being packed its pixels, their differences, and what they become. */
const squaresAtOnce = 2;

export function planAnalysisMemory(budgetBytes: number, workers: number): AnalysisMemory {
  const { bytes } = planMemory({
    budgetBytes,
    workers: 1,
    shares: {
      sheets: { weight: 12, minBytes: 16 * megabyte },
      pending: { weight: 22, minBytes: 16 * megabyte },
      squares: { weight: 66, minBytes: 16 * megabyte },
    },
  });
  return {
    workers,
    sheetBytes: bytes.sheets,
    pendingBytes: bytes.pending,
    squareBytes: bytes.squares / (squaresAtOnce + workers * 3),
  };
}

/** Squares of a worker: what it reads, what waits for it, what is packed, and what that becomes. */
const squaresOfWorker = 4;

/** For pictures: each worker has a thread that makes units, and one that packs them. @param squareBytes of a unit */
export function planViewerMemory(budgetBytes: number, maxWorkers: number, squareBytes: number): RasterMemory {
  const ofWorker = squaresOfWorker * squareBytes;
  const { workers, bytes } = planMemory({
    budgetBytes,
    workers: Math.max(1, Math.min(maxWorkers, Math.floor(budgetBytes / (ofWorker * 2)))),
    shares: {
      sheets: { weight: 30, isPerWorker: true, minBytes: 16 * megabyte },
      pending: { weight: 30, minBytes: 16 * megabyte },
      squares: { weight: 40, isPerWorker: true, minBytes: ofWorker },
    },
  });
  return { workers, sheetBytes: bytes.sheets, pendingBytes: bytes.pending };
}
