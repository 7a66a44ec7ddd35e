import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Runs the garbage collector of this thread. V8 collects when its own heap fills and does not count the hundreds of
 * megabytes of buffers that a few small objects hold, so a job with a memory budget calls this between its phases.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
