import type { ClaimedJob } from '@platen/contract/runner';
import type { JobFolders } from '../job-folders.ts';
import { readLeaseFile, writeLeaseFile } from './scratch-folders.ts';
import { processIdentity } from './process-identity.ts';
import { adoptScratch } from './adopt.ts';

interface ResumeOptions {
  /** The scratch folder of all runners of this machine. */
  readonly root: string;
  readonly service: string;
  readonly job: ClaimedJob;
  /** Of what the scratch files depend on. */
  readonly fingerprint: string;
  readonly folders: JobFolders;
  /** The process that is about to start the job. */
  readonly pid: number | undefined;
}

/**
 * Writes the lease file, so that the next attempt can resume with these folders, and adopts the scratch folder of an
 * earlier attempt.
 * @returns the number of that attempt; undefined if the job restarts
 */
export async function resume({ root, service, job, fingerprint, folders, pid }: ResumeOptions) {
  const child = pid === undefined ? undefined : await processIdentity(pid);
  const lease = await readLeaseFile(folders.own);
  if (!child || !lease) return undefined; // without /proc it is unknown whether a process is dead
  const { jobId, attempt } = job;
  await writeLeaseFile(folders.own, { ...lease, attempt: { jobId, attempt, fingerprint, child, service } });
  return adoptScratch({ root, folders, jobId, attempt, fingerprint });
}
