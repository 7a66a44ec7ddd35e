import { getHeapStatistics } from 'node:v8';

const mebibyte = 2 ** 20;

export interface LoopReport {
  /** CPU time of the longest turn of the event loop. */
  readonly longestTurnMs: number;
  /** Growth of the heap and of the memory that it holds outside, at its highest. */
  readonly heapMegabytes: number;
}

/**
 * Measures the event loop of this thread, turn by turn, while work runs. It counts CPU time, which does not depend on what
 * else the machine does. Call `gc` before, if there is one, to measure growth from a clean heap.
 */
export async function watchLoop(work: () => Promise<unknown>): Promise<LoopReport> {
  const heapAtStart = heapBytes();
  let [maxTurn, highest] = [0, heapAtStart];
  let before = process.threadCpuUsage();
  let isWatching = true;
  const turn = () => {
    const now = process.threadCpuUsage();
    maxTurn = Math.max(maxTurn, now.user + now.system - before.user - before.system);
    highest = Math.max(highest, heapBytes());
    before = process.threadCpuUsage();
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => (isWatching = false));
  turn();
  return { longestTurnMs: maxTurn / 1000, heapMegabytes: (highest - heapAtStart) / mebibyte };
}

function heapBytes(): number {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}
