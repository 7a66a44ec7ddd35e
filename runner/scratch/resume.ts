import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ClaimedJob } from '@platen/contract/runner';
import type { JobSpec } from '@platen/processing/job-type';
import type { JobFolders } from '../job-folders.ts';
import type { StagedInputs } from '../stage.ts';
import { readLeaseFile, writeLeaseFile } from './scratch-folders.ts';
import { processIdentity } from './process-identity.ts';
import { adoptScratch } from './adopt.ts';

interface ResumeOptions {
  /** The scratch folder of all runners of this machine. */
  readonly root: string;
  readonly service: string;
  readonly job: ClaimedJob;
  readonly spec: JobSpec;
  readonly staged: StagedInputs;
  readonly folders: JobFolders;
  /** The process that is about to start the job. */
  readonly pid: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes the lease file, so that the next attempt can resume with these folders, and adopts the scratch folder of an
 * earlier attempt.
 * @returns the number of that attempt; undefined if the job restarts
 */
export async function resume({ root, service, job, spec, staged, folders, pid, signal }: ResumeOptions) {
  const child = pid === undefined ? undefined : await processIdentity(pid);
  const lease = await readLeaseFile(folders.own);
  if (!child || !lease) return undefined; // without /proc it is unknown whether a process is dead
  const { jobId, attempt } = job;
  const fingerprint = await fingerprintOf(job, spec, staged, signal);
  await writeLeaseFile(folders.own, { ...lease, attempt: { jobId, attempt, fingerprint, child, service } });
  return adoptScratch({ root, folders, jobId, attempt, fingerprint });
}

/**
 * Hashes everything that the scratch files depend on: inputs, options, and the versions of the job type and of Node.
 */
async function fingerprintOf(
  { options }: ClaimedJob,
  { name, version }: JobSpec,
  { inputs, contents }: StagedInputs,
  signal: AbortSignal,
): Promise<string> {
  const known: unknown[] = [];
  for (const [index, { path, related: _related, ...input }] of inputs.entries())
    known.push([input, contents[index] ?? (await hashOf(path, signal))]);
  const all = [name, version, process.version, options, known];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}
