import type { Bytes } from '@platen/formats/bytes/bytes';
import { openZip, type ZipIndex } from '@platen/formats/zip/open-zip';
import type { InternalSource } from '@platen/contract/datasources';
import type { ObjectStore } from '@platen/storage/object-store';
import type { Context } from '../../base/context.ts';
import { usableKey } from '../../files/objects/key.ts';
import { findFilesAfter, findObject, type ObjectFile } from '../../files/objects/store.ts';
import { archiveKind, type ArchiveKind } from '../address.ts';
import type { SourceFiles } from '../source-files.ts';

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

const someFiles = 200;
const maxListed = 5000;

/** @throws ZipError for a zip file that cannot be served */
export async function dataOf(context: Context, place: SourceFiles, source: InternalSource): Promise<Data> {
  const suffix = source.urlSuffix?.replace(/^\//, '').split('?')[0];
  // clients read the file that the suffix names
  const named = suffix === undefined || suffix.includes('{') ? '' : suffix;
  const kind = place.file && archiveKind(place.file.key);
  if (place.file && kind === 'zip') return dataOfZip(bytesOf(context.store, place.file), named);
  const { file, servedFolder } = place;
  const find = async (path: string) => {
    const key = usableKey(`${servedFolder ?? ''}${path}`);
    const found =
      key === undefined || servedFolder === null
        ? undefined
        : await findObject(context.db, place.bucketId, key);
    return found && dataFile(context.store, found);
  };
  return {
    kind,
    container: 'folder',
    file: file ? dataFile(context.store, file) : await (named === '' ? undefined : find(named)),
    find,
    async some() {
      if (servedFolder === null) return [];
      const query = { prefix: servedFolder, after: '', limit: someFiles };
      const files = await findFilesAfter(context.db, place.bucketId, query);
      return files.map(({ key }) => key.slice(servedFolder.length));
    },
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

function dataFile(store: ObjectStore, file: ObjectFile): DataFile {
  return { path: file.key, bytes: bytesOf(store, file) };
}

/** The bytes of an object, read by ranges. */
export function bytesOf(store: ObjectStore, { blobId, size }: Pick<ObjectFile, 'blobId' | 'size'>): Bytes {
  return {
    size,
    read: async (offset, length) => (await store.read(blobId, { offset, length })) ?? new Uint8Array(0),
  };
}
