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

/** What nobody has taken up for so long, nobody will. */
const keepMs = 24 * 3_600_000;
/** Of a runner that we do not see: it says every minute that it lives. */
const unseenMs = 3_600_000;
/** Between a folder and its mark. */
const unleasedMs = 60_000;
const maxKept = 16;
/** Of the disk; with less, what was left goes, the oldest first. */
const minFreeShare = 0.1;

interface SweepOptions {
  /** Where the runners of this machine have their folders. */
  readonly root: string;
  /** Ours, as it stands in marks. */
  readonly service: string;
  /** Which of these jobs may still be claimed; rejects when the service cannot be asked. */
  readonly openJobs: (jobIds: readonly string[]) => Promise<readonly string[]>;
  readonly now: () => number;
}

/** Removes what dead runners have left there, but for what the next attempt of an open job can go on with. */
export async function sweepScratch({ root, service, openJobs, now }: SweepOptions): Promise<void> {
  const folders = await listFolders(root);
  for (const folder of folders) {
    if (folder.kind === 'gone') await removeFolder(root, folder.path);
    if (folder.kind === 'job') await settle(root, folder, now());
  }
  await removeExpired({ root, service, openJobs, now });
}

async function settle(root: string, folder: ScratchFolder, now: number): Promise<void> {
  const mark = await readLeaseFile(folder.path);
  const fate = mark ? await processState(mark.runner) : stateOfUnleased(folder);
  if (fate === 'alive') return folder.pid === process.pid ? touch(folder.path) : undefined;
  const silence = now - (await touchedAt(folder.path));
  if (!mark && silence < unleasedMs) return;
  if (fate === 'unknown' && silence < unseenMs) return;
  const isOfUse = fate === 'dead' && mark !== undefined && (await isResumable(folder, mark));
  await (isOfUse ? keepFolder(root, folder.path) : removeFolder(root, folder.path));
}

async function isResumable({ path }: ScratchFolder, { attempt }: LeaseFile): Promise<boolean> {
  if (!attempt || !isSameBoot(attempt.child)) return false;
  const files = await readdir(join(path, 'scratch')).catch(() => []);
  return files.length > 0 && (await killOrphan(attempt.child));
}

/** It was about to be marked, or this system has no /proc. */
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

/** Removes what was left, the oldest first, while the disk is nearly full. */
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
