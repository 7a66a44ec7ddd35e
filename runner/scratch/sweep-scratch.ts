import { maxOpenJobs } from '@platen/contract/open-jobs';
import type { JobClient } from '../job-client.ts';
import type { Log } from '../log.ts';
import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { killOrphan, processState, isSameBoot, type ProcessIdentity } from './process-identity.ts';
import {
  listFolders,
  keepFolder,
  readLeaseFile,
  removeFolder,
  touch,
  touchedAt,
  type ScratchFolder,
  type LeaseFile,
} from './scratch-folders.ts';

/** Kept folders are removed after this time. */
const keepMs = 24 * 3_600_000;
/**
 * A runner that is not visible here touches its lease file every minute; without that for an hour, it counts as dead.
 */
const unseenMs = 3_600_000;
/** Time between creating a folder and writing its lease file. */
const unleasedMs = 10_000;
const maxKept = 16;
/** Below this share of free disk space, kept folders are removed, the oldest first. */
const minFreeShare = 0.1;

interface SweepOptions {
  /** The scratch folder of all runners of this machine. */
  readonly root: string;
  /** Our service, as in lease files. */
  readonly service: string;
  /** Which of these jobs may still be claimed; rejects if the service cannot be reached. */
  readonly openJobs: (jobIds: readonly string[]) => Promise<readonly string[]>;
  readonly now: () => number;
}

/** Removes folders of dead runners, except those that the next attempt of an open job can resume with. */
export async function sweepScratch({ root, service, openJobs, now }: SweepOptions): Promise<void> {
  const folders = await listFolders(root);
  for (const folder of folders) {
    if (folder.kind === 'gone') await removeFolder(root, folder.path);
    if (folder.kind === 'job') await settle(root, folder, now());
  }
  await removeExpired({ root, service, openJobs, now });
}

async function settle(root: string, folder: ScratchFolder, now: number): Promise<void> {
  const lease = await readLeaseFile(folder.path);
  const state = lease ? await processState(lease.runner) : stateOfUnleased(folder);
  if (state === 'alive') return folder.pid === process.pid ? touch(folder.path) : undefined;
  const silence = now - (await touchedAt(folder.path));
  if (!lease && silence < unleasedMs) return;
  if (state === 'unknown' && silence < unseenMs) return;
  const isOfUse = state === 'dead' && lease !== undefined && (await isResumable(folder, lease));
  await (isOfUse ? keepFolder(root, folder.path) : removeFolder(root, folder.path));
}

async function isResumable({ path }: ScratchFolder, { attempt }: LeaseFile): Promise<boolean> {
  if (!attempt || !isSameBoot(attempt.child)) return false;
  const files = await readdir(join(path, 'scratch')).catch(() => []);
  return files.length > 0 && (await killOrphan(attempt.child));
}

/** Folders without a lease file have just been created, or this system has no /proc. */
function stateOfUnleased({ pid }: ScratchFolder): 'alive' | 'dead' {
  if (pid === process.pid) return 'alive';
  try {
    process.kill(pid!, 0);
    return 'alive';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : 'dead';
  }
}

interface KeptFolder {
  readonly path: string;
  readonly jobId: string;
  readonly attempt: number;
  readonly service: string;
  readonly child: ProcessIdentity;
  readonly at: number;
}

async function removeExpired({ root, service, openJobs, now }: SweepOptions): Promise<void> {
  const all = await listKept(root);
  const newest = new Map(all.map(({ jobId, attempt }) => [jobId, attempt]));
  for (const { jobId, attempt } of all) newest.set(jobId, Math.max(attempt, newest.get(jobId)!));
  const ours = all.filter((left) => left.service === service).map(({ jobId }) => jobId);
  const open = ours.length > 0 ? await openJobs([...new Set(ours)]).catch(() => ours) : [];
  const kept = new Set<string>();
  for (const left of all) {
    const isOver = left.service === service && !open.includes(left.jobId);
    const isOld = now() - left.at > keepMs || !isSameBoot(left.child);
    const isMore = kept.has(left.jobId) || left.attempt !== newest.get(left.jobId) || kept.size >= maxKept;
    if (isOver || isOld || isMore) await removeFolder(root, left.path);
    else kept.add(left.jobId);
  }
  await freeDiskSpace(root);
}

/** Removes kept folders, the oldest first, while the disk is nearly full. */
export async function freeDiskSpace(root: string): Promise<void> {
  if (!(await isNearlyFull(root))) return;
  for (const { path } of (await listKept(root)).toReversed()) {
    await removeFolder(root, path);
    if (!(await isNearlyFull(root))) return;
  }
}

async function isNearlyFull(root: string): Promise<boolean> {
  const { bavail, blocks } = await statfs(root);
  return bavail < blocks * minFreeShare;
}

/** The newest first. */
async function listKept(root: string): Promise<KeptFolder[]> {
  const found: KeptFolder[] = [];
  for (const { path, kind } of await listFolders(root)) {
    if (kind !== 'left') continue;
    const attempt = (await readLeaseFile(path))?.attempt;
    if (attempt) found.push({ path, at: await touchedAt(path), ...attempt });
    else await removeFolder(root, path);
  }
  return found.toSorted((a, b) => b.at - a.at);
}

const everyMs = 60_000;

interface CleanerOptions {
  readonly root: string;
  readonly service: string;
  readonly client: JobClient;
  readonly log: Log;
}

/** Sweeps now and then every minute. */
export async function startScratchCleaner({ root, service, client, log }: CleanerOptions): Promise<void> {
  const openJobs = async (jobIds: readonly string[]): Promise<readonly string[]> => {
    const body = { jobIds: jobIds.slice(0, maxOpenJobs) };
    return (await client.postRunnerOpenJobs({ body, signal: AbortSignal.timeout(10_000) })).jobIds;
  };
  const sweep = () =>
    sweepScratch({ root, service, openJobs, now: Date.now }).catch((error: unknown) => {
      log('warning', 'the scratch folder could not be cleaned', { error: String(error) });
    });
  await sweep();
  let sweeping = Promise.resolve();
  setInterval(() => (sweeping = sweeping.then(sweep)), everyMs).unref();
}
