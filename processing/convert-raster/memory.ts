import { planMemory } from '../kit/memory-plan.ts';

/** How the job's memory budget is divided. In bytes. */
export interface RasterMemory {
  /** Units that are packed at a time, by threads of native code. */
  readonly workers: number;
  /** Unpacked blocks of sheets. */
  readonly sheetBytes: number;
  /** Units of overviews that are unfinished. */
  readonly pendingBytes: number;
  /** One unit. */
  readonly squareBytes: number;
}

const megabyte = 2 ** 20;
/** The one being read, and of each being packed its pixels, their differences, and what they become. */
const squaresAtOnce = 2;

export function planRasterMemory(budgetBytes: number, workers: number): RasterMemory {
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
