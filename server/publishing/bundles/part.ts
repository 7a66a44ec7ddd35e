import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BundleFile } from '@platen/contract/runner-bundle';

/** A file of a bundle, and its bytes on demand. */
export interface Entry extends BundleFile {
  /** A stream has exactly `size` bytes, if `size` is set. */
  readonly open: () => Promise<Uint8Array | Readable>;
}

export interface ListedFile {
  readonly file: Entry;
  /** The place behind it. */
  readonly next: string;
}

/** Files of a bundle that come from one source. */
export interface Part {
  /**
   * All files from a position, in a stable order. The empty string is the beginning; other positions are the `next` of
   * a file.
   */
  list(from: string): AsyncIterable<ListedFile>;
  find(path: string): Promise<Entry | undefined>;
}

/** All files of a bundle, in the order in which they must be uploaded. */
export interface Bundle {
  /** For the name of an archive of it. */
  readonly name: string;
  readonly parts: readonly Part[];
}

/** Few files, by their paths. */
export function partOfFiles(files: readonly Entry[]): Part {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    async *list(from) {
      for (let i = numberOf(from); i < files.length; i++) yield { file: files[i]!, next: String(i + 1) };
    },
    find: async (path) => byPath.get(path),
  };
}

/** The same files in a folder, which ends with /. */
export function within(folder: string, part: Part): Part {
  const placed = (file: Entry): Entry => ({ ...file, path: folder + file.path });
  return {
    async *list(from) {
      for await (const { file, next } of part.list(from)) yield { file: placed(file), next };
    },
    async find(path) {
      const file = path.startsWith(folder) ? await part.find(path.slice(folder.length)) : undefined;
      return file && placed(file);
    },
  };
}

/** Appends generated files, except those whose names the part already has. */
export function followedBy(part: Part, make: () => Promise<readonly Entry[]>): Part {
  const made = async () => {
    const files = await make();
    const own = await Promise.all(files.map(({ path }) => part.find(path)));
    return partOfFiles(files.filter((_, i) => own[i] === undefined));
  };
  return {
    async *list(from) {
      if (!from.startsWith('+'))
        for await (const { file, next } of part.list(from.slice(1))) yield { file, next: `-${next}` };
      const rest = from.startsWith('+') ? from.slice(1) : '';
      for await (const { file, next } of (await made()).list(rest)) yield { file, next: `+${next}` };
    },
    find: async (path) => (await part.find(path)) ?? (await made()).find(path),
  };
}

/** A file generated for the bundle. */
export function madeEntry(path: string, content: string | Uint8Array, contentType: string): Entry {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { path, size: bytes.length, version: digestOf(bytes), contentType, open: async () => bytes };
}

/** Enough of the hash to distinguish contents. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** The position as a number; 0 if it is not one. */
export function numberOf(place: string): number {
  return /^\d{1,15}$/.test(place) ? Number(place) : 0;
}
