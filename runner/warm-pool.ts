import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import type { JobProcess } from './job-process.ts';

/** Prewarmed processes, so that jobs start without delay. */
export interface WarmPool {
  /**
   * Waits until a process can start a job.
   * @returns false if that failed, after a pause, or `signal` aborted
   */
  isReady(signal: AbortSignal): Promise<boolean>;
  take(): Promise<JobProcess>;
  /** Starts missing processes; called once the current job has started, so as not to delay it. */
  readonly refill: () => void;
  end(): Promise<void>;
}

const pauseMs = 10_000;
/** If jobs follow each other faster than this, the pool holds two processes. */
const inSuccessionMs = 1000;
const shrinkAfterMs = 10_000;

export function startWarmPool(start: () => Promise<JobProcess>, log: Log): WarmPool {
  const waiting: Promise<JobProcess>[] = [];
  let takenAt = -Infinity;
  let size = 1;
  let calming: NodeJS.Timeout | undefined;

  const startOne = () => {
    const process = start();
    process.catch(() => {});
    waiting.push(process);
  };
  const refill = () => {
    while (waiting.length < size) startOne();
  };
  const dropping = new Set<Promise<void>>();
  const drop = async (process: Promise<JobProcess> | undefined) => {
    await process?.then((child) => child.end()).catch(() => {});
  };
  const calm = () => {
    size = 1;
    while (waiting.length > size) {
      const dropped = drop(waiting.pop()).finally(() => dropping.delete(dropped));
      dropping.add(dropped);
    }
  };
  refill();
  return {
    async isReady(signal) {
      refill();
      const [first] = waiting;
      try {
        await (
          await first!
        ).ready;
        return !signal.aborted;
      } catch (error) {
        log('error', 'no job can be run', { error: String(error) });
        void waiting.shift();
        await drop(first);
        // so that a broken installation does not start processes in a tight loop
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
        return false;
      }
    },
    async take() {
      const now = performance.now();
      size = now - takenAt < inSuccessionMs ? 2 : 1;
      takenAt = now;
      clearTimeout(calming);
      calming = setTimeout(calm, shrinkAfterMs).unref();
      const child = await (waiting.shift() ?? start());
      if (child.isAlive()) return child;
      await child.end();
      return start();
    },
    refill,
    async end() {
      clearTimeout(calming);
      await Promise.all([...waiting.splice(0).map(drop), ...dropping]);
    },
  };
}
