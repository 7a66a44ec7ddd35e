import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endOrphan, fateOf, isOfThisBoot } from './life.ts';
import { foldersIn, readMark, removeFolder, renamed, type Attempt, type Folder } from './folders.ts';

interface Wanted extends Pick<Attempt, 'jobId' | 'attempt' | 'fingerprint'> {
  /** Where the runners of this machine have their folders. */
  readonly root: string;
  /** The scratch folder of the process that is to go on; empty. */
  readonly scratch: string;
}

interface Candidate {
  readonly folder: Folder;
  readonly attempt: Attempt;
}

/**
 * Moves what an earlier attempt of the job has left into the scratch folder of the next: what the newest has, as long as it was
 * made of the same inputs by a process that is surely dead. What else earlier attempts have left is removed.
 * @returns the number of that attempt; undefined: the job begins anew
 */
export async function takeUp({ root, scratch, fingerprint, ...job }: Wanted): Promise<number | undefined> {
  const candidates = await earlierOf(root, job);
  let taken: number | undefined;
  for (const { folder, attempt } of candidates) {
    const from = join(folder.path, 'scratch');
    const isOfUse = taken === undefined && attempt.fingerprint === fingerprint && (await hasFiles(from));
    // where it cannot be moved, as the process has already written something there, the job begins anew
    if (isOfUse && (await renamed(from, scratch).catch(() => false))) taken = attempt.attempt;
    await removeFolder(root, folder.path);
  }
  return taken;
}

/** The newest first; only what nobody writes to any more. */
async function earlierOf(
  root: string,
  { jobId, attempt: before }: Pick<Attempt, 'jobId' | 'attempt'>,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const folder of await foldersIn(root)) {
    if (folder.kind === 'gone') continue;
    const mark = await readMark(folder.path);
    const attempt = mark?.attempt;
    if (!attempt || attempt.jobId !== jobId || attempt.attempt >= before) continue;
    if (!isOfThisBoot(attempt.child)) continue;
    if (
      folder.kind === 'job' &&
      !((await fateOf(mark.runner)) === 'dead' && (await endOrphan(attempt.child)))
    )
      continue;
    found.push({ folder, attempt });
  }
  return found.toSorted((a, b) => b.attempt.attempt - a.attempt.attempt);
}

async function hasFiles(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}
