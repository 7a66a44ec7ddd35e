/** How the memory that a job may take is shared out. In words of 32 bits unless named otherwise. */
export interface MemoryPlan {
  readonly workers: number;
  /** Of records, of all threads together; what is more goes to files. */
  readonly mostInMemory: number;
  /** Of records that one thread cuts at a time; what is trimmed off on the way down takes about as much again. */
  readonly mostPerUnit: number;
  /** In bytes: of a tile before it is packed. */
  readonly mostPerTile: number;
  /** In bytes: what a thread reads of the input at a time. */
  readonly partBytes: number;
}

/** A thread and its program take about so much before they hold any data. */
const threadBytes = 56 * 2 ** 20;
const leastForData = 0.4;
const shareInMemory = 0.42;
const sharePerUnits = 0.13;
const sharePerTiles = 0.1;

export function planMemory(memoryBytes: number, workers: number): MemoryPlan {
  const most = Math.max(1, Math.floor((memoryBytes * (1 - leastForData)) / threadBytes) - 1);
  const used = Math.min(workers, most);
  const forData = Math.max(memoryBytes * leastForData, memoryBytes - (used + 1) * threadBytes);
  return {
    workers: used,
    mostInMemory: Math.floor((forData * shareInMemory) / 4),
    mostPerUnit: Math.floor((forData * sharePerUnits) / used / 4),
    mostPerTile: Math.floor((forData * sharePerTiles) / used),
    partBytes: Math.min(32 * 2 ** 20, Math.max(2 ** 20, Math.floor(forData / used / 16))),
  };
}
