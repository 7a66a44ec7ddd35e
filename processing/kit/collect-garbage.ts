import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * Runs the garbage collector of this thread if the process holds more than these bytes. V8 collects when its own heap
 * fills and does not count the hundreds of megabytes of buffers that a few small objects hold, so a job with a memory
 * budget calls this between its phases. A collection takes longer than a small job, which does without.
 */
export function collectGarbageAbove(bytes: number): void {
  if (process.memoryUsage.rss() <= bytes) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
