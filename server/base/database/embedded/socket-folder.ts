import { chmod, mkdir, mkdtemp, readlink, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveTo, remove } from './files.ts';
import type { Identity } from './identity.ts';

const SOCKET_NAME = '.s.PGSQL.5432';
// sizeof(sockaddr_un.sun_path) less the final NUL
const PATH_LIMIT_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * An empty 0700 folder for the socket: `run` in the data folder or, where that path is too long, a temporary
 * one that `run` points to.
 */
export async function makeSocketFolder(root: string, identity: Identity): Promise<string> {
  await removeSocketFolder(root); // a stale lock file beside the socket may name another program's number
  const run = join(root, 'run');
  const isShort = Buffer.byteLength(join(run, SOCKET_NAME)) <= PATH_LIMIT_BYTES;
  const folder = isShort ? run : await mkdtemp(join(tmpdir(), 'platen-'));
  if (isShort) await mkdir(folder);
  else await symlink(folder, run);
  await chmod(folder, 0o700);
  await giveTo(identity, folder);
  return folder;
}

/** Removes the folder of this start, or of one that was killed. */
export async function removeSocketFolder(root: string): Promise<void> {
  const run = join(root, 'run');
  const temporary = await readlink(run).catch(() => undefined);
  if (temporary !== undefined) await remove(temporary);
  await remove(run);
}

/** Empties the folder of a server that died, and keeps its path. */
export async function clearSocketFolder(folder: string): Promise<void> {
  for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) await remove(join(folder, name));
}
