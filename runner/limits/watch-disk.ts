import { lstat, readdir, stat, statfs } from 'node:fs/promises';
import { join, sep } from 'node:path';

interface WatchOptions {
  readonly pid: number;
  /** That its runner puts inputs into, as links to bytes of the service where it can: these take nothing. */
  readonly inputs: string;
  /** That it writes to. */
  readonly written: readonly string[];
  /** undefined: no limit. */
  readonly megabytes: number | undefined;
}

interface DiskWatch {
  /** Does the job take more than it may? */
  isOver(): Promise<boolean>;
  stop(): void;
}

const megabyte = 2 ** 20;
/** A file takes a block and an entry, however little is in it. */
const minFileBytes = 4096;
/** What looking may take of the time, when nothing hints at a reason to look. */
const share = 0.05;
const maxPauseMs = 30_000;

/**
 * To look at every file is dear where there are many, so what is free on the disk is looked at first: as long as that has not
 * shrunk by what is left to the job, it cannot have taken that, unless others gave as much back meanwhile, which is why the files
 * are looked at now and then all the same.
 */
export function watchDisk({ megabytes, ...where }: WatchOptions): DiskWatch {
  const stopping = new AbortController();
  let usedBytes = 0;
  let freeBytes: number | undefined;
  let nextAt = 0;
  return {
    stop: () => stopping.abort(),
    async isOver() {
      if (megabytes === undefined) return false;
      const most = megabytes * megabyte;
      const free = await freeOf(where.inputs);
      const taken = freeBytes === undefined ? Infinity : freeBytes - free;
      if (usedBytes + taken <= most && performance.now() < nextAt) return false;
      const began = performance.now();
      usedBytes = await bytesOf({ ...where, most, signal: stopping.signal });
      freeBytes = free;
      const spentMs = performance.now() - began;
      nextAt = performance.now() + Math.min(spentMs / share, maxPauseMs);
      return usedBytes > most;
    },
  };
}

async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

interface MeasureOptions extends Omit<WatchOptions, 'megabytes'> {
  /** More than this need not be known exactly. */
  readonly most: number;
  readonly signal: AbortSignal;
}

async function bytesOf({ pid, inputs, written, most, signal }: MeasureOptions): Promise<number> {
  let bytes = await unlinkedBytes(pid);
  const waiting = [...written, inputs];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (bytes > most || signal.aborted) break;
    const mayBeLinks = folder === inputs || folder.startsWith(inputs + sep);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // it has just gone
    for (let i = 0; i < entries.length && bytes <= most; i += maxConcurrent) {
      const sizes = entries.slice(i, i + maxConcurrent).map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        return bytesOfFile(path, mayBeLinks);
      });
      for (const size of await Promise.all(sizes)) bytes += size;
    }
  }
  return bytes;
}

const maxConcurrent = 64;

async function bytesOfFile(path: string, mayBeLink: boolean): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats || (mayBeLink && stats.isFile() && stats.nlink > 1)) return 0;
  return Math.max(stats.blocks * 512, minFileBytes);
}

/** Files that were removed and are still open, as SQLite has them: they take the disk until they are closed. */
async function unlinkedBytes(pid: number): Promise<number> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const sizes = open.map(async (name) => {
    const stats = await stat(`/proc/${pid}/fd/${name}`).catch(() => undefined);
    return stats?.isFile() && stats.nlink === 0 ? stats.blocks * 512 : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
