/** How the job's memory budget is divided. In 32-bit words unless stated otherwise. */
export interface MemoryPlan {
  readonly workers: number;
  /** Records kept in memory by all threads together; the rest goes to files. */
  readonly maxWordsInMemory: number;
  /** Records that a thread cuts at a time; trimmed copies take about as much again. */
  readonly maxWordsPerUnit: number;
  /** Bytes of a tile before compression. */
  readonly maxBytesPerTile: number;
  /** Bytes of the input that a thread reads at a time. */
  readonly partBytes: number;
}

/** Memory of a thread with its code before it holds any data. */
const threadBytes = 56 * 2 ** 20;
const minDataShare = 0.4;
const shareInMemory = 0.42;
const sharePerUnits = 0.13;
const sharePerTiles = 0.1;

/** Share of the memory budget above which garbage is collected between two phases. The next one may need the other half. */
export const phaseCollectionShare = 0.5;
/** The same between two units that a thread cuts. */
export const unitCollectionShare = 0.75;

export function planMemory(memoryBytes: number, workers: number): MemoryPlan {
  const maxWorkers = Math.max(1, Math.floor((memoryBytes * (1 - minDataShare)) / threadBytes) - 1);
  const used = Math.min(workers, maxWorkers);
  const forData = Math.max(memoryBytes * minDataShare, memoryBytes - (used + 1) * threadBytes);
  return {
    workers: used,
    maxWordsInMemory: Math.floor((forData * shareInMemory) / 4),
    maxWordsPerUnit: Math.floor((forData * sharePerUnits) / used / 4),
    maxBytesPerTile: Math.floor((forData * sharePerTiles) / used),
    partBytes: Math.min(32 * 2 ** 20, Math.max(2 ** 20, Math.floor(forData / used / 16))),
  };
}
