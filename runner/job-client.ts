import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, RequestFailed, type Client } from '@platen/client/client';
import { runnerFileEndpoints } from '@platen/contract/job-files';
import { openJobsEndpoints } from '@platen/contract/open-jobs';
import { registrationEndpoints } from '@platen/contract/runner-registration';
import { runnerBundleEndpoints } from '@platen/contract/runner-bundle';
import { leaseMs, runnerEndpoints } from '@platen/contract/runner';
import { runnerOutputEndpoints } from '@platen/contract/runner-outputs';

const endpoints = {
  ...registrationEndpoints,
  ...runnerEndpoints,
  ...runnerOutputEndpoints,
  ...runnerFileEndpoints,
  ...runnerBundleEndpoints,
  ...openJobsEndpoints,
} as const;
export type JobClient = Client<typeof endpoints>;

/** A client with the token of a runner or of one job. */
export function clientFor(baseUrl: string, token?: string): JobClient {
  return createClient(endpoints, { baseUrl, ...(token !== undefined && { token }) });
}

/** Whether the response says that the job is no longer ours. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof RequestFailed && [401, 404, 409].includes(error.status);
}

/** Whether the service rejected the request, so that a retry would fail too. */
export function isRejected(error: unknown): boolean {
  return (
    error instanceof RequestFailed &&
    error.status >= 400 &&
    error.status < 500 &&
    !isLeaseLost(error) &&
    error.status !== 429
  );
}

/** A request that ran longer than this had been answered and was interrupted: earlier failures no longer count. */
const interruptedAfterMs = 2000;
/** Limits the restarts of transfers that are always interrupted. */
const maxInterruptions = 5;

/**
 * Retries while the service cannot be reached or is busy, for the length of a lease since the first failure in
 * succession. An interrupted transfer restarts at most five times, unless `hasAdvanced` says that the last try got
 * further than the one before.
 */
export async function withRetry<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  hasAdvanced = () => false,
): Promise<T> {
  let failing: { readonly sinceMs: number; waitMs: number } | undefined;
  for (let long = 0; ;) {
    const beganMs = performance.now();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const nowMs = performance.now();
      if (hasAdvanced()) long = 0;
      if (nowMs - beganMs > interruptedAfterMs && long++ < maxInterruptions) failing = undefined;
      failing ??= { sinceMs: nowMs, waitMs: 100 };
      if (!isRetryable(error) || nowMs - failing.sinceMs + failing.waitMs > leaseMs) throw error;
      await sleep(failing.waitMs, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
      failing.waitMs *= 2;
    }
  }
}

/** Whether the error is temporary, so that a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  // not 507: quota and disk do not grow while we wait
  if (error instanceof RequestFailed)
    return error.status === 429 || (error.status >= 500 && error.status !== 507);
  // fetch throws a TypeError if the connection fails
  return error instanceof TypeError || /terminated|premature/i.test((error as Error).message);
}

interface LeaseOptions {
  readonly client: JobClient;
  readonly jobId: string;
  readonly signal: AbortSignal;
}

/**
 * Requires that the lease is still ours: after losing it, the files of the next attempt must not be touched.
 * @throws RequestFailed if it is not
 */
export async function requireLease({ client, jobId, signal }: LeaseOptions): Promise<void> {
  const heartbeat = { params: { jobId }, body: { waitMs: 0 }, signal };
  await withRetry(signal, () => client.postRunnerJobHeartbeat(heartbeat));
}
