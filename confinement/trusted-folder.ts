import { lstat, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Folders that hold code to be run. Whoever can write to one can run code with our rights, so its owner and mode are
 * checked before anything is loaded from it.
 */

/** The user who installed Platen can change its code anyway. */
const installerUid = (await lstat(resolve(import.meta.dirname, '..'))).uid;

/** Whether only we can write to this folder. */
export const isOwnFolder = (path: string) => isWrittenBy(path, [process.getuid?.()]);

/** Whether only we, root, or whoever installed Platen can write to this folder. */
export const isTrustedFolder = (path: string) => isWrittenBy(path, [process.getuid?.(), 0, installerUid]);

/**
 * Creates a folder that only we can read and write, inside of `parents`, which are created as well if they are missing.
 * @param parents from the outermost; nobody but us or root may write to them, as they could replace the folder
 * @returns undefined if the folder is private, otherwise one sentence that says why it cannot be trusted
 */
export async function makePrivateFolder(
  path: string,
  parents: readonly string[],
): Promise<string | undefined> {
  try {
    for (const parent of parents) {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      if (!(await isTrustedFolder(parent))) return refusal(parent);
    }
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return (await isOwnFolder(path)) && dirname(path) === parents.at(-1) ? undefined : refusal(path);
  } catch (error) {
    return `The folder ${path} cannot be created: ${(error as Error).message}.`;
  }
}

function refusal(path: string): string {
  return `The folder ${path} belongs to another user, is a link, or other users can write to it.`;
}

async function isWrittenBy(path: string, users: readonly (number | undefined)[]): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory()) return false;
  return process.getuid === undefined || (users.includes(stats.uid) && (stats.mode & 0o022) === 0);
}
