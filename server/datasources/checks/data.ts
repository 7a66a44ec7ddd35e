import type { Bytes } from '@platen/formats/bytes/bytes';
import { openZip, type ZipIndex } from '@platen/formats/zip/open-zip';
import type { ArchiveKind } from '../address.ts';
import { bytesOfHost } from '../parsing/file-host.ts';

/** A file, or a member of an archive, that a check looks at. */
export interface DataFile {
  /** Path in its bucket, or in its folder of the archive. */
  readonly path: string;
  readonly bytes: Bytes;
}

/** The data under check: the file of the key, and the files of its folder or zip file by their paths in it. */
export interface Data {
  readonly file: DataFile | undefined;
  /** Kind of archive of the file; undefined for other files and for folders. */
  readonly kind: ArchiveKind | undefined;
  /** For messages: `folder` or `archive`. */
  readonly container: string;
  find(path: string): Promise<DataFile | undefined>;
  /** Paths of some files in it, not in the whole bucket. */
  some(): Promise<string[]>;
}

/** A file of the bucket, by its number in the host. */
export interface HostFile {
  readonly number: number;
  readonly path: string;
  readonly size: number;
}

/** The description of the data that a check gets. */
export interface DataInput {
  readonly kind: ArchiveKind | undefined;
  readonly file: HostFile | undefined;
  /** The path of the file that clients read, in its folder or zip file; empty if there is none. */
  readonly named: string;
}

export interface DataHost {
  read(number: number, offset: number, length: number): Promise<Uint8Array>;
  /** Finds a file in the folder. */
  find(path: string): Promise<HostFile | undefined>;
  some(): Promise<string[]>;
}

export const someFiles = 200;
const maxListed = 5000;

/** @throws ZipError for a zip file that cannot be served */
export async function dataOf({ kind, file, named }: DataInput, host: DataHost): Promise<Data> {
  const dataFile = ({ number, path, size }: HostFile): DataFile => ({
    path,
    bytes: bytesOfHost((offset, length) => host.read(number, offset, length), size),
  });
  if (file && kind === 'zip') return dataOfZip(dataFile(file).bytes, named);
  const find = async (path: string) => {
    const found = await host.find(path);
    return found && dataFile(found);
  };
  return {
    kind,
    container: 'folder',
    file: file ? dataFile(file) : await (named === '' ? undefined : find(named)),
    find,
    some: () => host.some(),
  };
}

async function dataOfZip(bytes: Bytes, named: string): Promise<Data> {
  const zip = await openZip(bytes);
  const find = async (path: string) => {
    const member = await zip.find(zip.topFolder + path);
    return member && { path, bytes: await zip.open(member) };
  };
  return {
    kind: 'zip',
    container: 'archive',
    file: named === '' ? undefined : await find(named),
    find,
    some: () => someOf(zip),
  };
}

async function someOf(zip: ZipIndex): Promise<string[]> {
  const paths: string[] = [];
  let listed = 0;
  for await (const { name } of zip.list()) {
    if (++listed > maxListed || paths.length >= someFiles) break;
    if (name.startsWith(zip.topFolder) && !name.endsWith('/')) paths.push(name.slice(zip.topFolder.length));
  }
  return paths;
}
