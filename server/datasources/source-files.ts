import type { DatasourceType } from '@platen/contract/datasource-types';
import type { InternalSource } from '@platen/contract/datasources';
import type { Db } from '../base/database/database.ts';
import { unusableAt } from '../base/failure.ts';
import { keyOf } from '../files/objects/key.ts';
import { findObject, hasPrefix, holdObject, type ObjectFile } from '../files/objects/store.ts';

/** The stored file or folder of an internal source. */
export interface SourceFiles {
  readonly bucketId: string;
  /** As stored: without a leading or trailing `/`. */
  readonly key: string;
  /** The file of that key; undefined for a folder. */
  readonly file: ObjectFile | undefined;
  /** The prefix of all served keys, ending in `/`; null if only the one file is served. */
  readonly servedFolder: string | null;
}

/** Types whose file is the entry to others in the same folder, which are served with it. */
const entryFiles: Partial<Record<DatasourceType, RegExp>> = {
  tileset: /\.json$/,
  tilesetupdate: /\.json$/,
  qmesh: /(^|\/)layer\.json$/,
  meshinmesh: /(^|\/)layer\.json$/,
  oblique: /\.json$/,
  panorama: /\.fgb$/,
  tms: /\.xml$/,
};

const pointer = '/sourceProperties/dataBucketKey';

/**
 * Finds the file or folder that an internal source names.
 * @throws Failure `unusable_reference` when it is not in that bucket, or would open up the whole bucket
 */
export async function findSourceFiles(
  db: Db,
  type: DatasourceType,
  source: InternalSource,
): Promise<SourceFiles> {
  const { dataBucketId: bucketId, dataBucketKey } = source;
  if (dataBucketKey === '/')
    throw unusableAt(
      pointer,
      'A datasource cannot be a whole data bucket, as everything that is ever uploaded would be served. Move its files into a folder.',
    );
  const key = keyOf(dataBucketKey.replace(/\/$/, ''), pointer);
  const file = dataBucketKey.endsWith('/') ? undefined : await findObject(db, bucketId, key);
  if (file) return { bucketId, key, file, servedFolder: folderOfEntry(type, key) };
  if (await hasPrefix(db, bucketId, `${key}/`))
    return { bucketId, key, file: undefined, servedFolder: `${key}/` };
  throw unusableAt(pointer, `The data bucket has no file or folder “${key}”: upload it first.`);
}

/**
 * Keeps the file, or a file of the folder, from being moved or deleted until the transaction has ended that refers to it.
 * @throws Failure `unusable_reference` when it was moved, deleted or replaced since it was found
 */
export async function holdSourceFiles(tx: Db, { bucketId, key, file }: SourceFiles): Promise<void> {
  const blobId = await holdObject(tx, bucketId, file ? key : `${key}/`);
  if (file ? blobId === file.blobId : blobId !== undefined) return;
  throw unusableAt(pointer, `“${key}” has just been moved, deleted or replaced: try again.`);
}

function folderOfEntry(type: DatasourceType, key: string): string | null {
  if (!entryFiles[type]?.test(key)) return null;
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  if (folder !== '') return folder;
  throw unusableAt(
    pointer,
    'All files next to it are served with it, here the whole data bucket. Move the files of the datasource into a separate folder.',
  );
}
