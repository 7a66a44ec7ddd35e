import { LRUCache } from 'lru-cache';
import type { InputRanges } from '../input-ranges.ts';
import type { JobInput } from '../job-type.ts';
import type { LocalFile, Subject } from './inspector.ts';
import { openRangedFile, type RangedFile } from './ranged-file.ts';

export interface OpenSubject extends Subject {
  /** Closes all open files. */
  close(): Promise<void>;
}

/** Maximum size of a file or folder copied for an inspection; of a larger file only the beginning is. */
const maxCopyBytes = 256 << 20;
const maxBeginningBytes = 64 << 20;
const maxCopiedFiles = 1000;
/** Maximum number of members kept open. */
const maxOpenFiles = 64;

/** Opens the first input as the subject; the others are the files next to it. */
export async function openSubject(inputs: readonly JobInput[], ranges: InputRanges): Promise<OpenSubject> {
  const main = inputs[0]!;
  const files = keepOpen();
  const file = await openRangedFile(ranges, { input: 0 });
  const find = async (path: string): Promise<RangedFile | undefined> => {
    if (!file) return files.keep(await openRangedFile(ranges, { input: 0, member: path }));
    const input = inputs.findIndex(({ name }, i) => i > 0 && name === path);
    return input < 0 ? undefined : files.keep(await openRangedFile(ranges, { input }));
  };
  return {
    name: main.name,
    size: file?.size ?? main.size,
    bytes: file,
    path: file?.isWhole === true ? file.path : undefined,
    find,
    list: (limit) => ranges.list(0, limit),
    async localFile(path) {
      const source = path === undefined ? file : await find(path);
      if (source) return copyOf(source);
      return path === undefined ? copyOfFolder(main, ranges) : undefined;
    },
    async close() {
      await Promise.all([file?.close(), files.close()]);
    },
  };
}

async function copyOf({ path, size, isWhole, ensure }: RangedFile): Promise<LocalFile> {
  const bytes = isWhole || size <= maxCopyBytes ? size : maxBeginningBytes;
  await ensure(0, bytes);
  return { path, bytes };
}

async function copyOfFolder({ path, size }: JobInput, ranges: InputRanges): Promise<LocalFile | undefined> {
  const members = await ranges.list(0, maxCopiedFiles + 1);
  if (members.length > maxCopiedFiles) return undefined;
  for (const { name: member } of members) {
    const file = await openRangedFile(ranges, { input: 0, member });
    if (!file) continue;
    if (!file.isWhole && size > maxCopyBytes) return undefined;
    await file.ensure(0, file.size);
  }
  return { path, bytes: size };
}

/** Closes the least recently opened file when there are too many; reading it opens it again. */
function keepOpen() {
  const open = new LRUCache<RangedFile, true>({
    max: maxOpenFiles,
    dispose: (_, file) => void file.close(),
  });
  return {
    keep(file: RangedFile | undefined): RangedFile | undefined {
      if (file) open.set(file, true);
      return file;
    },
    close: async () => {
      await Promise.all([...open.keys()].map((file) => file.close()));
    },
  };
}
