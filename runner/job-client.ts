import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, RequestFailed, type Client } from '@platen/client/client';
import { leaseMs, runnerEndpoints, runnerOutputEndpoints } from '@platen/contract/runner';

const endpoints = { ...runnerEndpoints, ...runnerOutputEndpoints } as const;
export type JobClient = Client<typeof endpoints>;

/** A client with the token of a runner, or of one job. */
export function clientFor(baseUrl: string, token?: string): JobClient {
  return createClient(endpoints, { baseUrl, ...(token !== undefined && { token }) });
}

/** Is the job, by what the service answered, no longer ours? */
export function isLost(error: unknown): boolean {
  return error instanceof RequestFailed && [401, 404, 409].includes(error.status);
}

/** Did the service refuse what was sent, so that it is no use to send it again? */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof RequestFailed &&
    error.status >= 400 &&
    error.status < 500 &&
    !isLost(error) &&
    error.status !== 429
  );
}

/** Tries again while the service cannot be reached or is busy, for as long as a lease lasts. */
export async function persistently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  for (let waitMs = 100; ; waitMs *= 2) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error) || performance.now() - started + waitMs > leaseMs) throw error;
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    }
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof RequestFailed) return error.status === 429 || error.status >= 500;
  // fetch fails with a TypeError when a connection does
  return error instanceof TypeError || /terminated|premature/i.test((error as Error).message);
}
