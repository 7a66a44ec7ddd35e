import { execFile } from 'node:child_process';
import { chmod, open, rm, stat, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A message for whoever operates the service, one line. */
export type Log = (message: string) => void;

const MIB = 1024 * 1024;

/** Fixed, so that no PG* or LD_* variable of the service's own surroundings reaches PostgreSQL. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Runs a command to its end; rejects with its stderr when it fails. */
export const runCommand = promisify(execFile);

/** Swallows the one error that is expected, so that a missing file reads as undefined. */
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

/** A rename survives a power cut only when the folder that holds the name has been synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

/** @throws when the file system of `folder` has less than `bytes` free for an ordinary user. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes) return;
  const freeMib = Math.floor((bavail * bsize) / MIB);
  throw new Error(
    `Disk full: ${folder} has ${freeMib} MiB free, PostgreSQL needs ${bytes / MIB} MiB to start.`,
  );
}

/** @throws when PostgreSQL's own programs, which hand paths to a shell in double quotes, would stumble over `path`. */
export function requirePlainPath(path: string): void {
  if (!/["$`\\\n]/.test(path)) return;
  throw new Error(`PostgreSQL cannot use ${path}: the path contains a line break or one of " $ \` \\`);
}

/** Gives a file tree to the server's user. Only root can, and only root has to. */
export async function giveTo(
  { uid = 0, gid = 0 }: { uid?: number; gid?: number },
  path: string,
): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await runCommand('chown', ['-R', `${uid}:${gid}`, path], { env: CHILD_ENVIRONMENT });
}

/** Lets other users pass through a folder without seeing what it holds. */
export async function letPass(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  await chmod(folder, (mode & 0o777) | 0o011);
}

/** The end of a program's output, which says why it failed. */
export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-6).join('\n');
}
