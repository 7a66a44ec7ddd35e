import type { Context } from '../../base/context.ts';
import { runPeriodically } from '../../base/run-periodically.ts';
import { cleanUp } from './clean-up.ts';

/** Removes what nothing needs once an hour; the returned function ends that, after a clean-up under way. */
export function startCleaner(context: Context): () => Promise<void> {
  const { log } = context;
  const suspects = new Set<string>();
  return runPeriodically({ everyMs: 3_600_000, log, failure: 'a step of the clean-up failed' }, (signal) =>
    cleanUp(context, { signal, suspects }),
  );
}
