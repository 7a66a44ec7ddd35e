import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeatMs, leaseMs } from '@platen/contract/runner';
import { isLeaseLost, type JobClient } from './job-client.ts';

interface LeaseListener {
  /** The job was asked to stop. */
  readonly onAbort: () => void;
  /** The job is no longer ours, or will not be in a moment, as the service was not reached for nearly as long as a lease. */
  readonly onLost: () => void;
}

/** A claim is a lease already, and many jobs are over by then. */
const firstAfterMs = 300;
/** A connection that died in silence must not cost the lease: there is time for another one. */
const maxHeartbeatMs = heartbeatMs + 3000;
/** So long before the lease ends the job is given up, so that nothing of it goes on when it is another's. */
const marginMs = 1000;

/** Keeps the lease of a job until `signal` aborts; each heartbeat waits at the service for an abort. */
export async function keepLease(
  client: JobClient,
  jobId: string,
  { signal, onAbort, onLost }: LeaseListener & { signal: AbortSignal },
): Promise<void> {
  let heardAt = performance.now();
  await sleep(firstAfterMs, undefined, { signal }).catch(() => {});
  while (!signal.aborted) {
    const askedAt = performance.now();
    const leftMs = Math.floor(heardAt + leaseMs - marginMs - askedAt); // a signal takes whole milliseconds only
    if (leftMs <= 0) return onLost();
    try {
      const { abort } = await client.postRunnerJobHeartbeat({
        params: { jobId },
        body: { waitMs: heartbeatMs },
        signal: AbortSignal.any([signal, AbortSignal.timeout(Math.min(maxHeartbeatMs, leftMs))]),
      });
      heardAt = askedAt;
      if (abort) return onAbort();
    } catch (error) {
      if (signal.aborted) return;
      if (isLeaseLost(error)) return onLost();
    }
    const spentMs = performance.now() - askedAt; // a service that is closing answers at once
    if (spentMs < 500) await sleep(500 - spentMs, undefined, { signal }).catch(() => {});
  }
}
