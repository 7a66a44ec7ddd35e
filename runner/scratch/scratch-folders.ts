import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

/**
 * Folders in the scratch folder of a machine's runners: `job-<pid>-<uuid>` of a process, `left-<uuid>` kept from a
 * dead process for the next attempt, `gone-<uuid>` being removed. The kind changes by an atomic rename, so only one
 * runner gets a folder, and partly removed folders are never read.
 */
const kinds = /^(job|left|gone)-(?:(\d+)-)?[\da-f-]{36}$/;

export interface ScratchFolder {
  readonly path: string;
  readonly kind: 'job' | 'left' | 'gone';
  /** Only for `job`. */
  readonly pid: number | undefined;
}

/** The owner of a `job` folder; the process of the job cannot write this file. */
export interface LeaseFile {
  /** The runner, which touches the file while it lives. */
  readonly runner: ProcessIdentity;
  /** Absent if the process still waits for a job, or the job type does not resume. */
  readonly attempt?: ResumableAttempt;
}

/** An attempt of a job that the next one can resume. */
export interface ResumableAttempt {
  readonly jobId: string;
  readonly attempt: number;
  /** Hash of everything that the scratch files depend on. */
  readonly fingerprint: string;
  /** The process that writes to the scratch folder. */
  readonly child: ProcessIdentity;
  /** The service that knows whether the job is still open. */
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

/** In a shared temporary folder, others may have created the scratch folder. */
async function isOwn(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid());
}

export async function writeLeaseFile(folder: string, lease: LeaseFile): Promise<void> {
  const draft = join(folder, `${leaseFileName}.unfinished`);
  await writeFile(draft, JSON.stringify(lease), { mode: 0o600 });
  await rename(draft, join(folder, leaseFileName));
}

/** @returns undefined also if the file is damaged: it is not synced to the disk, so a power cut may leave anything */
export async function readLeaseFile(folder: string): Promise<LeaseFile | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, leaseFileName), 'utf8')) as LeaseFile;
  } catch {
    return undefined;
  }
}

/** When the runner last touched the lease file, or the folder was kept. */
export async function touchedAt(folder: string): Promise<number> {
  const stats = await lstat(join(folder, leaseFileName)).catch(() => lstat(folder).catch(() => undefined));
  return stats?.mtimeMs ?? 0;
}

export async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(join(folder, leaseFileName), now, now).catch(() => {});
}

/** Keeps the scratch folder of a dead process for the next attempt, without inputs and outputs. */
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

/** @returns false if another process has moved it first */
export async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
