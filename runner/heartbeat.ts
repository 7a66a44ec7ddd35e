import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeatMs, leaseMs } from '@platen/contract/runner';
import { isLeaseLost, type JobClient } from './job-client.ts';

interface LeaseListener {
  /** The service asks to abort the job. */
  readonly onAbort: () => void;
  /** The lease is lost or about to expire, as the service could not be reached. */
  readonly onLost: () => void;
}

/** A claim includes a lease, and many jobs end before the first heartbeat is due. */
const firstAfterMs = 300;
/** A heartbeat on a dead connection is given up early enough for another before the lease expires. */
const maxHeartbeatMs = heartbeatMs + 3000;
/** The job is stopped this long before its lease expires, so that it never overlaps with the next attempt. */
const marginMs = 1000;

/** Renews the lease of a job until `signal` aborts. Each heartbeat is a long poll that returns at an abort. */
export async function keepLease(
  client: JobClient,
  jobId: string,
  { signal, onAbort, onLost }: LeaseListener & { signal: AbortSignal },
): Promise<void> {
  let answeredAt = performance.now();
  await sleep(firstAfterMs, undefined, { signal }).catch(() => {});
  while (!signal.aborted) {
    const sentAt = performance.now();
    const leftMs = Math.floor(answeredAt + leaseMs - marginMs - sentAt); // AbortSignal.timeout takes whole milliseconds
    if (leftMs <= 0) return onLost();
    try {
      const { abort } = await client.postRunnerJobHeartbeat({
        params: { jobId },
        body: { waitMs: heartbeatMs },
        signal: AbortSignal.any([signal, AbortSignal.timeout(Math.min(maxHeartbeatMs, leftMs))]),
      });
      answeredAt = sentAt;
      if (abort) return onAbort();
    } catch (error) {
      if (signal.aborted) return;
      if (isLeaseLost(error)) return onLost();
    }
    const spentMs = performance.now() - sentAt; // a service that is closing answers at once
    if (spentMs < 500) await sleep(500 - spentMs, undefined, { signal }).catch(() => {});
  }
}
