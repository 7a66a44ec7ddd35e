import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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
  /** Where the runners of this machine have their folders. */
  readonly root: string;
  /** The scratch folder of the process that is to go on; empty. */
  readonly scratch: string;
}

interface Candidate {
  readonly folder: ScratchFolder;
  readonly attempt: ResumableAttempt;
}

/**
 * Moves what an earlier attempt of the job has left into the scratch folder of the next: what the newest has, as long as it was
 * made of the same inputs by a process that is surely dead. What else earlier attempts have left is removed.
 * @returns the number of that attempt; undefined: the job begins anew
 */
export async function adoptScratch({
  root,
  scratch,
  fingerprint,
  ...job
}: AdoptOptions): Promise<number | undefined> {
  const candidates = await listCandidates(root, job);
  let taken: number | undefined;
  for (const { folder, attempt } of candidates) {
    const from = join(folder.path, 'scratch');
    const isOfUse = taken === undefined && attempt.fingerprint === fingerprint && (await hasFiles(from));
    // where it cannot be moved, as the process has already written something there, the job begins anew
    if (isOfUse && (await tryRename(from, scratch).catch(() => false))) taken = attempt.attempt;
    await removeFolder(root, folder.path);
  }
  return taken;
}

/** The newest first; only what nobody writes to any more. */
async function listCandidates(
  root: string,
  { jobId, attempt: before }: Pick<ResumableAttempt, 'jobId' | 'attempt'>,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const folder of await listFolders(root)) {
    if (folder.kind === 'gone') continue;
    const mark = await readLeaseFile(folder.path);
    const attempt = mark?.attempt;
    if (!attempt || attempt.jobId !== jobId || attempt.attempt >= before) continue;
    if (!isSameBoot(attempt.child)) continue;
    if (
      folder.kind === 'job' &&
      !((await processState(mark.runner)) === 'dead' && (await killOrphan(attempt.child)))
    )
      continue;
    found.push({ folder, attempt });
  }
  return found.toSorted((a, b) => b.attempt.attempt - a.attempt.attempt);
}

async function hasFiles(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}
