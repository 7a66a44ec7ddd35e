import { createHash } from 'node:crypto';
import { catalog } from '@platen/processing/catalog';
import type { Db } from '../../base/database/database.ts';
import { notFound } from '../../base/failure.ts';
import { folderKeyOf, keyOf, nameOf } from '../../files/objects/key.ts';
import { findFolder, findObject, type ObjectFile } from '../../files/objects/store.ts';
import { sidecarFilesOf } from './sidecar-files.ts';

export const inspect = catalog['Inspect']!;

/** The file or folder to inspect. */
export interface InspectionTarget {
  /** The key of a folder ends in `/`. */
  readonly key: string;
  readonly bucketId: string;
  /** In bytes; for a folder, the sum of its files. */
  readonly size: number;
  /** The last segment of the key. */
  readonly name: string;
  /** Undefined for a folder. */
  readonly sha256: string | undefined;
  /** The keys of the inputs of the job: the file or folder, and its sidecar files. */
  readonly keys: readonly string[];
  /** SHA-256 of everything that the report depends on. */
  readonly reportOf: Buffer;
}

/** The file with this key, otherwise the folder. @throws Failure `not_found` */
export async function findTarget(db: Db, bucketId: string, rawKey: string): Promise<InspectionTarget> {
  const file = rawKey.endsWith('/') ? undefined : await findObject(db, bucketId, keyOf(rawKey));
  if (file) return targetOf(db, file);
  const key = folderKeyOf(rawKey);
  const folder = await findFolder(db, bucketId, key);
  if (!folder) throw notFound('file or folder');
  const { size, createdAt, updatedAt } = folder;
  const name = nameOf(key);
  const reportOf = digest(['folder', bucketId, key, size, createdAt, updatedAt]);
  return { key, bucketId, size, name, sha256: undefined, keys: [key], reportOf };
}

export async function targetOf(db: Db, file: ObjectFile): Promise<InspectionTarget> {
  const { key, dataBucketId: bucketId, size, sha256 } = file;
  const files = [file, ...(await sidecarFilesOf(db, file))];
  // without the folder, so that equal files are inspected once
  const reportOf = digest(files.map((one) => [nameOf(one.key), one.sha256]));
  return { key, bucketId, size, name: nameOf(key), sha256, keys: files.map((one) => one.key), reportOf };
}

function digest(content: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([inspect.version, content]))
    .digest();
}
