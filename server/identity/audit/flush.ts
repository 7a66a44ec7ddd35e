import type { Context } from '../../base/context.ts';
import { runPeriodically } from '../../base/run-periodically.ts';

/** The window in which failed logins are counted. */
const everyMs = 15 * 60_000;

/** Adds the counts of repeated audit entries from time to time, and when it is stopped. */
export function startAuditFlush({ repeatedAudit, log, now }: Context): () => Promise<void> {
  const failure = 'the counts of the audit log could not be stored';
  const stop = runPeriodically({ everyMs, log, failure }, () => repeatedAudit.flush(now()));
  return async () => {
    await stop();
    await repeatedAudit.flush(now());
  };
}
