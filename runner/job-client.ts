import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, RequestFailed, type Client } from '@platen/client/client';
import { runnerFileEndpoints } from '@platen/contract/job-files';
import { openJobsEndpoints } from '@platen/contract/open-jobs';
import { registrationEndpoints } from '@platen/contract/runner-registration';
import { runnerBundleEndpoints } from '@platen/contract/runner-bundle';
import { leaseMs, runnerEndpoints, runnerOutputEndpoints } from '@platen/contract/runner';

const endpoints = {
  ...registrationEndpoints,
  ...runnerEndpoints,
  ...runnerOutputEndpoints,
  ...runnerFileEndpoints,
  ...runnerBundleEndpoints,
  ...openJobsEndpoints,
} as const;
export type JobClient = Client<typeof endpoints>;

/** A client with the token of a runner, or of one job. */
export function clientFor(baseUrl: string, token?: string): JobClient {
  return createClient(endpoints, { baseUrl, ...(token !== undefined && { token }) });
}

/** Is the job, by what the service answered, no longer ours? */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof RequestFailed && [401, 404, 409].includes(error.status);
}

/** Did the service refuse what was sent, so that it is no use to send it again? */
export function isRejected(error: unknown): boolean {
  return (
    error instanceof RequestFailed &&
    error.status >= 400 &&
    error.status < 500 &&
    !isLeaseLost(error) &&
    error.status !== 429
  );
}

/** A try that went on for longer was answered, and broke off on its way: what failed before it is over. */
const interruptedAfterMs = 2000;
/** But what always breaks off is not begun for ever. */
const maxInterruptions = 5;

/**
 * Tries again while the service cannot be reached or is busy, for as long as a lease lasts since the first of the tries that
 * failed one after the other. A transfer that breaks off after a while is begun anew, five times at the most.
 */
export async function withRetry<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let failing: { readonly sinceMs: number; waitMs: number } | undefined;
  for (let long = 0; ;) {
    const beganMs = performance.now();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const nowMs = performance.now();
      if (nowMs - beganMs > interruptedAfterMs && long++ < maxInterruptions) failing = undefined;
      failing ??= { sinceMs: nowMs, waitMs: 100 };
      if (!isRetryable(error) || nowMs - failing.sinceMs + failing.waitMs > leaseMs) throw error;
      await sleep(failing.waitMs, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
      failing.waitMs *= 2;
    }
  }
}

/** Is it trouble in between, which may be over by itself? */
export function isRetryable(error: unknown): boolean {
  // 507: the quota, or the disk, does not grow while we wait
  if (error instanceof RequestFailed)
    return error.status === 429 || (error.status >= 500 && error.status !== 507);
  // fetch fails with a TypeError when a connection does
  return error instanceof TypeError || /terminated|premature/i.test((error as Error).message);
}
