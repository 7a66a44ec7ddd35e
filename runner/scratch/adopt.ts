import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { handOver, type JobFolders } from '../job-folders.ts';
import { killOrphan, processState, isSameBoot } from './process-identity.ts';
import {
  listFolders,
  readLeaseFile,
  removeFolder,
  tryRename,
  type ResumableAttempt,
  type ScratchFolder,
} from './scratch-folders.ts';

interface AdoptOptions extends Pick<ResumableAttempt, 'jobId' | 'attempt' | 'fingerprint'> {
  /** The scratch folder of all runners of this machine. */
  readonly root: string;
  /** The folders of the process that is to resume; `scratch` is empty. */
  readonly folders: JobFolders;
}

interface Candidate {
  readonly folder: ScratchFolder;
  readonly attempt: ResumableAttempt;
}

/**
 * Moves the scratch folder of the newest earlier attempt to the next one, if it was made from the same inputs by a
 * process that is dead. Removes other folders of the job.
 * @returns the number of that attempt; undefined if the job restarts
 */
export async function adoptScratch({
  root,
  folders,
  fingerprint,
  ...job
}: AdoptOptions): Promise<number | undefined> {
  const candidates = await listCandidates(root, job);
  let taken: number | undefined;
  for (const { folder, attempt } of candidates) {
    const from = join(folder.path, 'scratch');
    const isOfUse = taken === undefined && attempt.fingerprint === fingerprint && (await hasFiles(from));
    if (isOfUse && (await take(from, folders))) taken = attempt.attempt;
    await removeFolder(root, folder.path);
  }
  return taken;
}

/** @returns false if another attempt was faster, or the process has already written to its scratch folder */
async function take(from: string, folders: JobFolders): Promise<boolean> {
  const former = await stat(from).catch(() => undefined);
  if (!former || !(await tryRename(from, folders.scratch).catch(() => false))) return false;
  await handOver(folders.scratch, former.uid, folders);
  return true;
}

/** Folders of earlier attempts whose processes are dead, the newest first. */
async function listCandidates(
  root: string,
  { jobId, attempt: before }: Pick<ResumableAttempt, 'jobId' | 'attempt'>,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const folder of await listFolders(root)) {
    if (folder.kind === 'gone') continue;
    const lease = await readLeaseFile(folder.path);
    const attempt = lease?.attempt;
    if (!attempt || attempt.jobId !== jobId || attempt.attempt >= before) continue;
    if (!isSameBoot(attempt.child)) continue;
    if (
      folder.kind === 'job' &&
      !((await processState(lease.runner)) === 'dead' && (await killOrphan(attempt.child)))
    )
      continue;
    found.push({ folder, attempt });
  }
  return found.toSorted((a, b) => b.attempt.attempt - a.attempt.attempt);
}

async function hasFiles(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}
