import type { Context } from '../context.ts';
import { notFound } from '../failure.ts';
import { folderKeyOf, keyOf } from './key.ts';
import { findFilesAfter, findObject, type ObjectFile } from './store.ts';

const batch = 500;

/** A file, or all files of a folder, or of the whole bucket where no key is given. @throws Failure `not_found` */
export async function filesToDownload(
  { db }: Context,
  bucketId: string,
  rawKey: string | undefined,
): Promise<AsyncIterable<ObjectFile>> {
  const isRoot = rawKey === undefined || rawKey === '/';
  if (!isRoot && !rawKey.endsWith('/')) {
    const file = await findObject(db, bucketId, keyOf(rawKey));
    if (file) return only(file);
  }
  const prefix = isRoot ? '' : folderKeyOf(rawKey);
  const first = await findFilesAfter(db, bucketId, { prefix, after: '', limit: batch });
  if (first.length === 0 && !isRoot) throw notFound('file or folder');
  return all(first);

  async function* all(page: ObjectFile[]): AsyncGenerator<ObjectFile> {
    for (let files = page; files.length > 0;) {
      yield* files;
      if (files.length < batch) return;
      files = await findFilesAfter(db, bucketId, { prefix, after: files.at(-1)!.key, limit: batch });
    }
  }
}

async function* only(file: ObjectFile): AsyncGenerator<ObjectFile> {
  yield file;
}

export function nameOfDownload(rawKey: string | undefined, otherwise: string): string {
  return rawKey?.split('/').findLast((segment) => segment !== '') ?? otherwise;
}
