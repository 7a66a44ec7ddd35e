import { withRetry, type JobClient } from '../job-client.ts';

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
