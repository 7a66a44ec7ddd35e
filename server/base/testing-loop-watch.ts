import assert from 'node:assert/strict';
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';

const mebibyte = 2 ** 20;
/** Shorter turns do not count. */
const minTurnMs = 5;
/** Turns are measured from one such timer to the next, and so up to this too long: to look at each keeps a processor busy. */
const maxExcessMs = 1;

export interface LoopReport {
  /** CPU time of the longest turn of the event loop, without collections of garbage. */
  readonly longestTurnMs: number;
  /** Growth of the heap and of the memory that it holds outside, at its highest. */
  readonly heapMegabytes: number;
}

/** No turn may take longer, on a machine that parses `standardText` in `standardMs`. */
const maxTurnMs = 50;
const standardMs = 20;

/** Fails if work held the event loop; slow machines get more time. */
export function requireShortTurns(
  name: string,
  { longestTurnMs }: Pick<LoopReport, 'longestTurnMs'>,
  maxMs = maxTurnMs,
): void {
  if (longestTurnMs <= maxMs) return;
  const limitMs = maxMs * Math.max(1, timeParsing() / standardMs);
  assert.ok(
    longestTurnMs <= limitMs,
    `${name} held the event loop for ${longestTurnMs} of ${limitMs} ms of CPU`,
  );
}

/** Median of the CPU times, in milliseconds. */
function timeParsing(): number {
  const rows = Array.from({ length: 100_000 }, (_, id) => ({
    id,
    name: `feature ${id}`,
    at: [id * 1.5, id / 3],
  }));
  const standardText = JSON.stringify(rows);
  const times = Array.from({ length: 7 }, () => {
    const before = process.threadCpuUsage();
    JSON.parse(standardText);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return times.toSorted((a, b) => a - b)[3]!;
}

/** A part of the time of this process, in milliseconds since its start. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * Measures the event loop of this thread, turn by turn, while work runs. It counts CPU time, which does not depend on what
 * else the machine does, and no collections of garbage, as most of it is that of other tests. Call `gc` before, if there
 * is one, to measure growth from a clean heap.
 */
export async function watchLoop(work: () => Promise<unknown>): Promise<LoopReport> {
  const heapAtStart = heapBytes();
  const longTurns: (Period & { readonly cpuMs: number })[] = [];
  const collections: Period[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries().map(periodOf)));
  observer.observe({ entryTypes: ['gc'] });
  let highest = heapAtStart;
  let isWatching = true;
  let from = performance.now();
  let cpuBefore = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(cpuBefore);
    const cpuMs = (user + system) / 1000;
    if (cpuMs > minTurnMs) longTurns.push({ from, to: performance.now(), cpuMs });
    highest = Math.max(highest, heapBytes());
    from = performance.now();
    cpuBefore = process.threadCpuUsage();
    if (isWatching) setTimeout(turn, maxExcessMs);
  };
  setTimeout(turn, maxExcessMs);
  await work().finally(() => (isWatching = false));
  turn();
  // Node reports a collection one turn later
  await nextTurn();
  await nextTurn();
  collections.push(...observer.takeRecords().map(periodOf));
  observer.disconnect();
  const withoutCollections = longTurns.map(({ cpuMs, ...turnPeriod }) =>
    collections.reduce((ms, collection) => ms - overlapOf(turnPeriod, collection), cpuMs),
  );
  return {
    longestTurnMs: Math.max(0, ...withoutCollections),
    heapMegabytes: (highest - heapAtStart) / mebibyte,
  };
}

const periodOf = ({ startTime, duration }: PerformanceEntry): Period => ({
  from: startTime,
  to: startTime + duration,
});

const overlapOf = (one: Period, other: Period): number =>
  Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));

function heapBytes(): number {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}
