import { withRetry, type JobClient } from '../job-client.ts';

interface LeaseOptions {
  readonly client: JobClient;
  readonly jobId: string;
  readonly signal: AbortSignal;
}

/**
 * Asks the service whether the job is still this attempt's: whoever has lost it must not touch what another attempt has
 * brought meanwhile.
 * @throws RequestFailed when it is not
 */
export async function requireLease({ client, jobId, signal }: LeaseOptions): Promise<void> {
  const heartbeat = { params: { jobId }, body: { waitMs: 0 }, signal };
  await withRetry(signal, () => client.postRunnerJobHeartbeat(heartbeat));
}
