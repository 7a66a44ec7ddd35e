import { chmod, mkdir, mkdtemp, readlink, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveTo, remove } from './files.ts';
import type { Identity } from './identity.ts';

const SOCKET_NAME = '.s.PGSQL.5432';
// sizeof(sockaddr_un.sun_path) minus the final NUL
const PATH_LIMIT_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Creates an empty 0700 folder for the socket: `run` in the data folder or, if that path is too long, a temporary
 * folder
 * that `run` links to.
 */
export async function makeSocketFolder(root: string, identity: Identity): Promise<string> {
  await removeSocketFolder(root); // a stale lock file may contain the pid of another program
  const run = join(root, 'run');
  const isShort = Buffer.byteLength(join(run, SOCKET_NAME)) <= PATH_LIMIT_BYTES;
  const folder = isShort ? run : await mkdtemp(join(tmpdir(), 'platen-'));
  if (isShort) await mkdir(folder);
  else await symlink(folder, run);
  await chmod(folder, 0o700);
  await giveTo(identity, folder);
  return folder;
}

/** Removes the socket folder, including one left by a killed service. */
export async function removeSocketFolder(root: string): Promise<void> {
  const run = join(root, 'run');
  const temporary = await readlink(run).catch(() => undefined);
  if (temporary !== undefined) await remove(temporary);
  await remove(run);
}

/** Empties the folder of a dead server and keeps its path. */
export async function clearSocketFolder(folder: string): Promise<void> {
  for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) await remove(join(folder, name));
}
