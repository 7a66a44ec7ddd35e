import { randomBytes } from 'node:crypto';
import { JobFailure } from '@platen/processing/job-type';
import { folderOf } from './clean-path.ts';
import { ownFolder, type Destination } from './destination.ts';

/** The file operations that a destination on a file system needs. Paths are below its root. */
export interface FileTree {
  readonly address: string;
  /** As in Destination. */
  readonly folder?: string;
  /** Whether a folder is inside the root once links are resolved; undefined if it does not exist. */
  follow(folder: string): Promise<'inside' | 'outside' | undefined>;
  /** Creates one level; ignores an existing folder. */
  makeFolder(folder: string): Promise<void>;
  /** Removes the folder if it is empty. */
  removeFolder(folder: string): Promise<void>;
  /** All files of a folder; empty if it does not exist. */
  list(folder: string): Promise<{ readonly name: string; readonly size: number }[]>;
  /** As `list`, for these names only; for trees where that is cheaper. */
  sizes?(folder: string, names: ReadonlySet<string>): Promise<Map<string, number>>;
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Writes a new file. */
  write(path: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** Replaces an existing file atomically. */
  rename(from: string, to: string): Promise<void>;
  /** Ignores missing files, and folders at this path. */
  removeFile(path: string): Promise<void>;
  close(): Promise<void>;
}

const drafts = `${ownFolder}/drafts`;

/** A destination on a file system. Drafts are written to a folder of our own and renamed into place. */
export function folderDestination(tree: FileTree): Destination {
  const folders = knowFolders(tree);
  return {
    address: tree.address,
    folder: tree.folder,
    gzip: 'beside',
    keepsDrafts: true,

    async read(path, maxBytes) {
      return (await folders.isThere(folderOf(path))) ? tree.read(path, maxBytes) : undefined;
    },

    async sizes(folder, names) {
      if (!(await folders.isThere(folder))) return new Map();
      if (tree.sizes) return tree.sizes(folder, names);
      const files = await tree.list(folder);
      return new Map(files.filter(({ name }) => names.has(name)).map(({ name, size }) => [name, size]));
    },

    async draft(path, body) {
      await folders.make(drafts);
      const draft = `${drafts}/${randomBytes(12).toString('hex')}`;
      try {
        await tree.write(draft, body);
      } catch (error) {
        await tree.removeFile(draft).catch(() => {}); // otherwise `tidy` of the next run removes it
        throw error;
      }
      return {
        async switch() {
          await folders.make(folderOf(path));
          await tree.rename(draft, path);
        },
        drop: () => tree.removeFile(draft),
      };
    },

    async remove(path) {
      if (await folders.isThere(folderOf(path))) await tree.removeFile(path);
      // also removes folders that an interrupted run has left empty
      for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
        await tree.removeFolder(folder);
        folders.forget(folder);
      }
    },

    async tidy() {
      if (!(await folders.isThere(drafts))) return;
      for (const { name } of await tree.list(drafts)) await tree.removeFile(`${drafts}/${name}`);
    },

    close: () => tree.close(),
  };
}

/** Checks each folder once and creates missing ones; refuses links that lead out of the destination. */
function knowFolders(tree: FileTree) {
  const known = new Map<string, Promise<void>>();
  const look = async (folder: string): Promise<boolean> => {
    const place = await tree.follow(folder);
    if (place === 'outside')
      throw new JobFailure(
        'badDestination',
        `The folder “${folder}” of ${tree.address} is a link that leaves the destination. Nothing was written.`,
      );
    return place !== undefined;
  };
  const remember = (folder: string, looking: Promise<void>) => {
    known.set(folder, looking);
    looking.catch(() => known.delete(folder));
    return looking;
  };
  const make = (folder: string): Promise<void> =>
    known.get(folder) ??
    remember(
      folder,
      (async () => {
        if (await look(folder)) return;
        if (folder !== '') await make(folderOf(folder));
        await tree.makeFolder(folder);
        await look(folder); // another process may have replaced it by a link
      })(),
    );
  return {
    make,
    async isThere(folder: string): Promise<boolean> {
      const looking = known.get(folder);
      if (looking) {
        await looking;
        return true;
      }
      if (!(await look(folder))) return false;
      known.set(folder, Promise.resolve());
      return true;
    },
    forget: (folder: string) => known.delete(folder),
  };
}
