import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

/**
 * What lies in the scratch folder of the runners of a machine: `job-<pid>-<uuid>` with the folders of a process, `left-<uuid>`
 * with what a process has left that has died, to be taken up by the next attempt, and `gone-<uuid>`, which is being removed.
 * One becomes the other by renaming: so of several that want it, one has it, and nobody reads what is half removed.
 */
const kinds = /^(job|left|gone)-(?:(\d+)-)?[\da-f-]{36}$/;

export interface ScratchFolder {
  readonly path: string;
  readonly kind: 'job' | 'left' | 'gone';
  /** Of `job`. */
  readonly pid: number | undefined;
}

/** Who has a folder of the kind `job`; the process of the job cannot write it. */
export interface LeaseFile {
  /** The runner. It changes the time of the file as long as it lives. */
  readonly runner: ProcessIdentity;
  /** Absent: it waits for a job, or has one whose next attempt begins anew in any case. */
  readonly attempt?: ResumableAttempt;
}

/** The attempt of a job that can be gone on with. */
export interface ResumableAttempt {
  readonly jobId: string;
  readonly attempt: number;
  /** Of all that its result depends on. */
  readonly fingerprint: string;
  /** The process that writes to the scratch folder. */
  readonly child: ProcessIdentity;
  /** Who knows whether the job is still open. */
  readonly service: string;
}

const leaseFileName = 'mark.json';

export async function listFolders(root: string): Promise<ScratchFolder[]> {
  const found: ScratchFolder[] = [];
  for (const { name } of await readdir(root, { withFileTypes: true })) {
    const match = kinds.exec(name);
    const path = join(root, name);
    if (!match || !(await isOwn(path))) continue;
    const [, kind, pid] = match;
    found.push({
      path,
      kind: kind as ScratchFolder['kind'],
      pid: pid === undefined ? undefined : Number(pid),
    });
  }
  return found;
}

/** The scratch folder may have been made by somebody else, where everybody may. */
async function isOwn(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid());
}

export async function writeLeaseFile(folder: string, mark: LeaseFile): Promise<void> {
  const draft = join(folder, `${leaseFileName}.unfinished`);
  await writeFile(draft, JSON.stringify(mark), { mode: 0o600 });
  await rename(draft, join(folder, leaseFileName));
}

/** undefined also where it is no JSON: it was not forced to the disk, so a power cut may have left anything. */
export async function readLeaseFile(folder: string): Promise<LeaseFile | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, leaseFileName), 'utf8')) as LeaseFile;
  } catch {
    return undefined;
  }
}

/** When its runner last said that it lives, or the folder was left. */
export async function touchedAt(folder: string): Promise<number> {
  const stats = await lstat(join(folder, leaseFileName)).catch(() => lstat(folder).catch(() => undefined));
  return stats?.mtimeMs ?? 0;
}

export async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(join(folder, leaseFileName), now, now).catch(() => {});
}

/** Puts what a dead process has made away for the next attempt; its inputs and outputs are of no use to that. */
export async function keepFolder(root: string, folder: string): Promise<void> {
  const left = join(root, `left-${randomUUID()}`);
  if (!(await tryRename(folder, left))) return;
  await touch(left);
  for (const name of ['inputs', 'output']) await rm(join(left, name), { recursive: true, force: true });
}

export async function removeFolder(root: string, folder: string): Promise<void> {
  const gone = join(root, `gone-${randomUUID()}`);
  if (await tryRename(folder, gone)) await rm(gone, { recursive: true, force: true, maxRetries: 3 });
}

/** False when another was first. */
export async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
