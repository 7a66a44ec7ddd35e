import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees the memory that this thread no longer uses. A thread collects its garbage when its own heap fills, and does not
 * see that hundreds of megabytes of buffers hang on a few small objects of it: between the phases of a job that keeps
 * to a budget it has to be told.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
