import { lstat, readdir, stat, statfs } from 'node:fs/promises';
import { join, sep } from 'node:path';

interface WatchOptions {
  readonly pid: number;
  /** The folder that the runner stages inputs in, as links to the service's bytes if possible; links do not count. */
  readonly inputs: string;
  /** The folders that the job writes to. */
  readonly written: readonly string[];
  /** undefined: no limit. */
  readonly megabytes: number | undefined;
}

interface DiskWatch {
  /** Whether the job exceeds its limit. */
  isOver(): Promise<boolean>;
  stop(): void;
}

const megabyte = 2 ** 20;
/** Each file takes at least a block and an entry. */
const minFileBytes = 4096;
/** Maximum share of the time that is spent on measuring without a reason. */
const share = 0.05;
const maxPauseMs = 30_000;

/**
 * Measures all files only if needed, as that is slow for many: while the free space has shrunk by less than the job
 * may still take, it is below its limit. Others may free space meanwhile, so the files are also measured from time to
 * time.
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
      const maxBytes = megabytes * megabyte;
      const free = await freeOf(where.inputs);
      const taken = freeBytes === undefined ? Infinity : freeBytes - free;
      if (usedBytes + taken <= maxBytes && performance.now() < nextAt) return false;
      const began = performance.now();
      usedBytes = await bytesOf({ ...where, maxBytes, signal: stopping.signal });
      freeBytes = free;
      const spentMs = performance.now() - began;
      nextAt = performance.now() + Math.min(spentMs / share, maxPauseMs);
      return usedBytes > maxBytes;
    },
  };
}

async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

interface MeasureOptions extends Omit<WatchOptions, 'megabytes'> {
  /** Measuring stops above this number of bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function bytesOf({ pid, inputs, written, maxBytes, signal }: MeasureOptions): Promise<number> {
  let bytes = await unlinkedBytes(pid);
  const waiting = [...written, inputs];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (bytes > maxBytes || signal.aborted) break;
    const mayBeLinks = folder === inputs || folder.startsWith(inputs + sep);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // it has just been removed
    for (let i = 0; i < entries.length && bytes <= maxBytes; i += maxConcurrent) {
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

/** Bytes of removed files that are still open, such as SQLite's temporary files. */
async function unlinkedBytes(pid: number): Promise<number> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const sizes = open.map(async (name) => {
    const stats = await stat(`/proc/${pid}/fd/${name}`).catch(() => undefined);
    return stats?.isFile() && stats.nlink === 0 ? stats.blocks * 512 : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
