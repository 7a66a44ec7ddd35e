import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { encodeMemberName } from '@platen/formats/zip/encode-member-name';
import type { PackedMember } from '@platen/formats/zip/pack-member';
import type { FileRange } from './scratch-file.ts';

/** The names of the files that were written, one a line. */
export type WrittenFiles = FileRange;

export interface FolderSink {
  readonly count: number;
  add(member: PackedMember): void;
  flush(): WrittenFiles;
  finish(path: string): void;
  discard(): void;
}

/** Each file costs time to send, store and delete; above that, an archive is the only reasonable output. */
export const maxFolderFiles = 200_000;

const unpackOf: Readonly<Record<PackedMember['packing'], (bytes: Uint8Array) => Uint8Array>> = {
  stored: (bytes) => bytes,
  deflate: inflateRawSync,
  zstd: zstdDecompressSync,
};

/** Writes members as plain files: web servers would send packed ones as they are, without saying so. */
export interface FolderSinkOptions {
  /** Holds the files, and the list of their names. */
  readonly scratch: string;
  readonly resume?: WrittenFiles | undefined;
}

export function openFolderSink({ scratch, resume }: FolderSinkOptions): FolderSink {
  const folder = join(scratch, 'files');
  const namesPath = join(scratch, 'names');
  /** Names by their folded form: file systems that ignore case take such names for the same. */
  const names = new Map<string, string>();
  let unwritten = '';
  if (resume === undefined) {
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(namesPath, '');
  } else {
    truncateSync(namesPath, resume.end);
    for (const name of readFileSync(namesPath, 'utf8').split('\n').slice(0, -1))
      names.set(name.toLowerCase(), name);
    removeOthers(folder, new Set(names.values()));
  }
  let length = resume?.end ?? 0;
  return {
    get count() {
      return names.size;
    },
    add({ name, bytes, packing }) {
      encodeMemberName(name);
      const clash = names.get(name.toLowerCase());
      if (clash === name) throw new TypeError(`Two files of the folder are called ${JSON.stringify(name)}.`);
      if (clash !== undefined) {
        const both = `${JSON.stringify(clash)} and ${JSON.stringify(name)}`;
        throw new TypeError(
          `The names ${both} differ only in upper and lower case: not every system can tell them apart.`,
        );
      }
      if (names.size === maxFolderFiles)
        throw new TypeError(
          `A folder cannot have more than ${maxFolderFiles} files: choose an archive as the output.`,
        );
      writeMember(folder, name, unpackOf[packing](bytes));
      names.set(name.toLowerCase(), name);
      unwritten += `${name}\n`;
    },
    flush() {
      appendFileSync(namesPath, unwritten);
      length += Buffer.byteLength(unwritten);
      unwritten = '';
      return { path: namesPath, start: 0, end: length };
    },
    finish(path) {
      rmSync(namesPath); // first, so that nothing resumes without the files
      renameSync(folder, path);
      rmSync(scratch, { recursive: true });
    },
    discard: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

const unusableNames: Readonly<Record<string, string>> = {
  EEXIST: 'a part of its path is a file',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'a folder has this name',
  ENAMETOOLONG: 'a part of it is too long for a file system',
};

/** @throws TypeError for a name that archives can have, but not files */
function writeMember(folder: string, name: string, content: Uint8Array): void {
  const path = join(folder, name);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  } catch (error) {
    const reason = unusableNames[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new TypeError(`${JSON.stringify(name)} cannot be a file of the folder: ${reason}.`, {
      cause: error,
    });
  }
}

/** Files that were written after the last `flush` that was recorded. */
function removeOthers(folder: string, names: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    if (entry.isFile() && !names.has(name)) rmSync(path);
  }
}
