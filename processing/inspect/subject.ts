import { LRUCache } from 'lru-cache';
import type { InputPieces } from '../input-pieces.ts';
import type { JobInput } from '../job-type.ts';
import type { OnDisk, Subject } from './inspector.ts';
import { openPieces, type PiecedFile } from './read-pieces.ts';

export interface OpenSubject extends Subject {
  /** Ends all reading of it. */
  close(): Promise<void>;
}

/** Larger files are not copied for an inspection, only so much of their beginning. */
const longestCopy = 256 << 20;
const longestBeginning = 64 << 20;
const mostFilesCopied = 1000;
/** So many members keep their file open. */
const mostOpen = 64;

/** The first input, as what is to be inspected; the others lie beside it. */
export async function openSubject(inputs: readonly JobInput[], pieces: InputPieces): Promise<OpenSubject> {
  const main = inputs[0]!;
  const files = keepOpen();
  const file = await openPieces(pieces, { input: 0 });
  const find = async (path: string): Promise<PiecedFile | undefined> => {
    if (!file) return files.keep(await openPieces(pieces, { input: 0, member: path }));
    const input = inputs.findIndex(({ name }, i) => i > 0 && name === path);
    return input < 0 ? undefined : files.keep(await openPieces(pieces, { input }));
  };
  return {
    name: main.name,
    size: file?.size ?? main.size,
    bytes: file,
    path: file?.isWhole === true ? file.path : undefined,
    find,
    list: (limit) => pieces.list(0, limit),
    async onDisk(path) {
      const wanted = path === undefined ? file : await find(path);
      if (wanted) return copyOf(wanted);
      return path === undefined ? copyOfFolder(main, pieces) : undefined;
    },
    async close() {
      await Promise.all([file?.close(), files.close()]);
    },
  };
}

async function copyOf({ path, size, isWhole, ensure }: PiecedFile): Promise<OnDisk> {
  const bytes = isWhole || size <= longestCopy ? size : longestBeginning;
  await ensure(0, bytes);
  return { path, bytes };
}

async function copyOfFolder({ path, size }: JobInput, pieces: InputPieces): Promise<OnDisk | undefined> {
  const members = await pieces.list(0, mostFilesCopied + 1);
  if (members.length > mostFilesCopied) return undefined;
  for (const { name: member } of members) {
    const file = await openPieces(pieces, { input: 0, member });
    if (!file) continue;
    if (!file.isWhole && size > longestCopy) return undefined;
    await file.ensure(0, file.size);
  }
  return { path, bytes: size };
}

/** Closes the one used longest ago when there are many: it opens again when it is read. */
function keepOpen() {
  const open = new LRUCache<PiecedFile, true>({
    max: mostOpen,
    dispose: (_, file) => void file.close(),
  });
  return {
    keep(file: PiecedFile | undefined): PiecedFile | undefined {
      if (file) open.set(file, true);
      return file;
    },
    close: async () => {
      await Promise.all([...open.keys()].map((file) => file.close()));
    },
  };
}
