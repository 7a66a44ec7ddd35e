import type { Context } from '../../base/context.ts';
import { runPeriodically } from '../../base/run-periodically.ts';
import { cleanUp } from './clean-up.ts';

/** Runs the clean-up once an hour; the returned function stops it after a running clean-up. */
export function startCleaner(context: Context): () => Promise<void> {
  const { log } = context;
  const suspects = new Set<string>();
  return runPeriodically({ everyMs: 3_600_000, log, failure: 'a step of the clean-up failed' }, (signal) =>
    cleanUp(context, { signal, suspects }),
  );
}
