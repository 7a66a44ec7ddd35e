import { randomBytes } from 'node:crypto';
import { JobFailure } from '@platen/processing/job-type';
import { folderOf } from './clean-path.ts';
import { ownFolder, type Destination } from './destination.ts';

/** What a tree of files has to be able to do for bundles to be carried there. Paths are below its root. */
export interface FileTree {
  readonly address: string;
  /** Where a folder really is, after all links; undefined: there is none. */
  follow(folder: string): Promise<'inside' | 'outside' | undefined>;
  /** One level. One that is there is no error. */
  makeFolder(folder: string): Promise<void>;
  /** When it is empty; otherwise nothing. */
  removeFolder(folder: string): Promise<void>;
  /** All files of a folder; none where there is no folder. */
  list(folder: string): Promise<{ readonly name: string; readonly size: number }[]>;
  /** The same, of those alone, where that costs less. */
  sizes?(folder: string, names: ReadonlySet<string>): Promise<Map<string, number>>;
  read(path: string, longest: number): Promise<Uint8Array | undefined>;
  /** A file that is not there yet. */
  write(path: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** In place of whatever file is there, in one step. */
  rename(from: string, to: string): Promise<void>;
  /** What is not there is no error, nor a folder, which stays. */
  removeFile(path: string): Promise<void>;
  close(): Promise<void>;
}

const drafts = `${ownFolder}/drafts`;

/** A tree of files as a destination: what is written lies in a folder of ours until it is renamed to its place. */
export function folderDestination(tree: FileTree): Destination {
  const folders = knowFolders(tree);
  return {
    address: tree.address,
    gzip: 'beside',
    keepsDrafts: true,

    async read(path, longest) {
      return (await folders.isThere(folderOf(path))) ? tree.read(path, longest) : undefined;
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
        await tree.removeFile(draft).catch(() => {}); // `tidy` of the next run finds it
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
      // also where a run that died has removed the file alone
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

/** Looks at each folder once, and makes what is missing; a link that leads out of the destination is not followed. */
function knowFolders(tree: FileTree) {
  const known = new Map<string, Promise<void>>();
  const look = async (folder: string): Promise<boolean> => {
    const place = await tree.follow(folder);
    if (place === 'outside')
      throw new JobFailure(
        'badDestination',
        `The folder “${folder}” of ${tree.address} is a link that leads out of it: nothing is written through it.`,
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
        await look(folder); // somebody else may have made it just now, as a link
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
