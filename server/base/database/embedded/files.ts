import { execFile } from 'node:child_process';
import { chmod, open, rm, stat, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Writes one line for the operator. */
export type Log = (message: string) => void;

const MIB = 1024 * 1024;

/** Fixed, so that no PG* or LD_* variable of the service reaches PostgreSQL. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Runs a command; rejects with its stderr if it fails. */
export const runCommand = promisify(execFile);

/** Ignores one expected error, so that a missing file reads as undefined. */
export function ignore(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignore('ENOENT'))) !== undefined;
}

export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Syncs a folder: without it, a rename may be lost in a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

/** @throws if the file system of `folder` has less than `bytes` free for an ordinary user */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes) return;
  const freeMib = Math.floor((bavail * bsize) / MIB);
  throw new Error(
    `Disk full: ${folder} has ${freeMib} MiB free, PostgreSQL needs ${bytes / MIB} MiB to start.`,
  );
}

/** @throws if the path would break PostgreSQL's programs, which pass paths to a shell in double quotes */
export function requirePlainPath(path: string): void {
  if (!/["$`\\\n]/.test(path)) return;
  throw new Error(`PostgreSQL cannot use ${path}: the path contains a line break or one of " $ \` \\`);
}

/** Makes the server's user the owner of a file tree; needed, and possible, only as root. */
export async function giveTo(
  { uid = 0, gid = 0 }: { uid?: number; gid?: number },
  path: string,
): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await runCommand('chown', ['-R', `${uid}:${gid}`, path], { env: CHILD_ENVIRONMENT });
}

/** Allows other users to traverse a folder without listing it. */
export async function allowTraversal(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  await chmod(folder, (mode & 0o777) | 0o011);
}

/** The last lines of a program's output, which say why it failed. */
export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-6).join('\n');
}
