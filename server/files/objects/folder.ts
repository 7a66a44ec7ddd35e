import type { Context } from '../../base/context.ts';
import { notFound } from '../../base/failure.ts';
import type { Packable } from './download.ts';
import { folderKeyOf, folderOf, keyOf, nameOf } from './key.ts';
import { findFilesAfter, findObject, type ObjectFile } from './store.ts';
import type { PackedFile } from './pack-files.ts';

const batch = 500;

/**
 * A file, all files of a folder, or without a key all files of the bucket. Paths begin with the name of the file or
 * folder, without its parent folders. @throws Failure `not_found`
 */
export async function filesToDownload(
  { db }: Context,
  bucketId: string,
  rawKey: string | undefined,
): Promise<Packable> {
  const isRoot = rawKey === undefined || rawKey === '/';
  if (!isRoot && !rawKey.endsWith('/')) {
    const file = await findObject(db, bucketId, keyOf(rawKey));
    if (file) return { name: nameOf(file.key), files: only({ ...file, path: nameOf(file.key) }) };
  }
  const prefix = isRoot ? '' : folderKeyOf(rawKey);
  const first = await findFilesAfter(db, bucketId, { prefix, after: '', limit: batch });
  if (first.length === 0 && !isRoot) throw notFound('file or folder');
  const above = folderOf(prefix.slice(0, -1)).length;
  return { name: isRoot ? bucketId : nameOf(prefix), files: all(first) };

  async function* all(page: ObjectFile[]): AsyncGenerator<PackedFile> {
    for (let files = page; files.length > 0;) {
      for (const file of files) yield { ...file, path: file.key.slice(above) };
      if (files.length < batch) return;
      files = await findFilesAfter(db, bucketId, { prefix, after: files.at(-1)!.key, limit: batch });
    }
  }
}

async function* only(file: PackedFile): AsyncGenerator<PackedFile> {
  yield file;
}
