import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const memory = '/dev/shm';
const neededBytes = 8 * 2 ** 30;

/**
 * Runs `work` with a temporary folder in memory, as the many databases of the tests mostly wait for the disk.
 * Undefined if this machine has no such place with enough space.
 */
export async function withMemoryFolder<T>(work: (folder: string | undefined) => Promise<T>): Promise<T> {
  if (!(await hasRoom())) return work(undefined);
  const folder = join(memory, `platen-${randomUUID().slice(0, 8)}`);
  await mkdir(folder);
  await chmod(folder, 0o711); // PostgreSQL passes through it as a user of its own
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function hasRoom(): Promise<boolean> {
  const [mounts, meminfo] = await Promise.all(
    ['/proc/mounts', '/proc/meminfo'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  const options = mounts!.match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]?.split(',');
  if (!options || options.includes('noexec') || options.includes('ro')) return false;
  const { bavail, bsize } = await statfs(memory);
  const availableBytes = 1024 * Number(meminfo!.match(/^MemAvailable:\s+(\d+) kB/m)?.[1] ?? 0);
  // tests need as much again for themselves
  return bavail * bsize >= neededBytes && availableBytes >= 2 * neededBytes;
}
