import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { CommandFailure } from '../failures.ts';
import { UsageError } from '../read-command-line.ts';

/** A file that is to be uploaded. */
export interface LocalFile {
  readonly path: string;
  /** In the data bucket. */
  readonly key: string;
  readonly size: number;
  /** Time of the last change in milliseconds since 1970. */
  readonly modified: number;
}

/** Called with what is no file and has been left out. */
type OnSkip = (path: string, reason: string) => void;

/**
 * The files of these paths and folders with their keys, in the order of the keys. Links to files are followed; links to
 * folders are not, as they could lead in circles.
 * @throws CommandFailure for a path that cannot be read, UsageError if two files have the same key
 */
export async function listFiles(
  paths: readonly string[],
  prefix: string,
  onSkip: OnSkip,
): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  for (const path of paths) {
    const stats = await readable(path, () => stat(path));
    if (stats.isFile())
      files.push({ path, key: prefix + basename(resolve(path)), size: stats.size, modified: stats.mtimeMs });
    else if (stats.isDirectory()) await addFolder(files, path, prefix + keptName(path), onSkip);
    else onSkip(path, 'it is neither a file nor a folder');
  }
  files.sort((a, b) => (a.key < b.key ? -1 : 1));
  const twice = files.find(({ key }, index) => files[index + 1]?.key === key);
  if (twice) throw new UsageError(`Two files have the same key “${twice.key}”. Upload them one by one.`);
  return files;
}

/** A folder keeps its name, except where only what it contains is meant, as in `folder/.`. */
function keptName(path: string): string {
  const last = path.split(sep === '/' ? '/' : /[\\/]/).at(-1)!;
  return last === '.' || last === '..' ? '' : `${basename(resolve(path))}/`;
}

async function addFolder(files: LocalFile[], folder: string, prefix: string, onSkip: OnSkip): Promise<void> {
  for (const entry of await readable(folder, () => readdir(folder, { withFileTypes: true }))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      await addFolder(files, path, `${prefix}${entry.name}/`, onSkip);
      continue;
    }
    if (!entry.isFile() && !entry.isSymbolicLink()) {
      onSkip(path, 'it is neither a file nor a folder');
      continue;
    }
    const stats = await readable(path, () => stat(path));
    if (stats.isFile())
      files.push({ path, key: prefix + entry.name, size: stats.size, modified: stats.mtimeMs });
    else onSkip(path, 'links to folders are not followed');
  }
}

async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandFailure('failed', `${path} does not exist.`);
    throw new CommandFailure('failed', `${path} cannot be read (${code}).`);
  }
}
