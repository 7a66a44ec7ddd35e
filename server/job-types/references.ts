import type { Permission } from '@platen/contract/permission';
import { findBucket } from '../buckets/store.ts';
import type { Db } from '../database/database.ts';
import { Failure, unusableAt } from '../failure.ts';
import { may, maySee, type Caller } from '../iam/caller.ts';
import { folderKeyOf, keyOf } from '../objects/key.ts';
import { findFolder, findObject } from '../objects/store.ts';
import type { InputSource, JobParameters } from './check-parameters.ts';

/** A source of a job, found. Several are listed in the order of the parameters. */
export interface ResolvedInput {
  readonly kind: 'file' | 'folder';
  readonly name: string;
  /** In bytes; of a folder, of all its files. */
  readonly size: number;
  readonly bucketId: string;
  /** That of a folder ends in `/`. */
  readonly key: string;
  /** Of a file. */
  readonly blobId: string | undefined;
  readonly source: InputSource;
}

interface Where {
  readonly db: Db;
  readonly projectId: string;
  /** Whose rights count when a task is written; when its job starts they counted already. */
  readonly caller?: Caller;
}

/**
 * Finds everything that the parameters name, within the project: when a task is written, and again when its job starts.
 * @throws Failure `unusable_reference` at the pointer of what is not there, `forbidden` where the caller may not use it
 */
export async function resolveReferences(where: Where, parameters: JobParameters): Promise<ResolvedInput[]> {
  await requireTarget(where, parameters);
  await requireOutput(where, parameters);
  const found: ResolvedInput[] = [];
  for (const source of parameters.inputs) found.push(await resolveInput(where, source));
  return found;
}

async function resolveInput(where: Where, source: InputSource): Promise<ResolvedInput> {
  if (source.type === 'external') {
    const detail =
      'Addresses on the web cannot be read yet: upload the file to a data bucket and name it there.';
    throw unusableAt(source.pointer, detail);
  }
  const place =
    source.type === 'internal' ? await inBucket(where, source) : await ofDatasource(where, source);
  const isFolder = place.rawKey.endsWith('/');
  const file = isFolder
    ? undefined
    : await findObject(where.db, place.bucketId, keyOf(place.rawKey, place.pointer));
  if (file) {
    const { key, size, blobId } = file;
    return { kind: 'file', name: nameOf(key), size, bucketId: place.bucketId, key, blobId, source };
  }
  const key = folderKeyOf(place.rawKey, place.pointer);
  const folder = await findFolder(where.db, place.bucketId, key);
  if (!folder)
    throw unusableAt(place.pointer, `There is no file or folder “${place.rawKey}” in the data bucket.`);
  const { bucketId } = place;
  return { kind: 'folder', name: nameOf(key), size: folder.size, bucketId, key, blobId: undefined, source };
}

interface Place {
  readonly bucketId: string;
  readonly rawKey: string;
  readonly pointer: string;
}

type Internal = InputSource & { readonly type: 'internal' };
type OfDatasource = InputSource & { readonly type: 'datasource' };

async function inBucket({ db, projectId, caller }: Where, source: Internal): Promise<Place> {
  const pointer = `${source.pointer}/dataBucketId`;
  const bucket = await findBucket(db, projectId, source.dataBucketId);
  if (!bucket) throw unusableAt(pointer, 'There is no such data bucket in this project.');
  if (caller) requireSight(caller, 'getDataBucket', { createdBy: bucket.createdBy, pointer });
  const { dataBucketKey: rawKey } = source;
  return { bucketId: bucket._id, rawKey, pointer: `${source.pointer}/dataBucketKey` };
}

async function ofDatasource(where: Where, source: OfDatasource): Promise<Place> {
  const pointer = `${source.pointer}/datasourceId`;
  const row = await findRow(where, source.datasourceId);
  if (!row) throw unusableAt(pointer, 'There is no such datasource in this project.');
  if (where.caller) requireSight(where.caller, 'getDatasource', { createdBy: row.created_by, pointer });
  if (row.bucket_id === null || row.bucket_key === null) {
    throw unusableAt(pointer, 'Its data lies outside of this service, which jobs cannot read yet.');
  }
  return { bucketId: row.bucket_id, rawKey: row.bucket_key, pointer };
}

/** Making a datasource needs createDatasource, changing one editDatasource, or to have created it. */
async function requireTarget(where: Where, { datasource, spec }: JobParameters): Promise<void> {
  const { caller } = where;
  if (datasource.command === 'create') {
    const pointer = '/parameters/datasource/command';
    if (caller && !may(caller, 'createDatasource')) throw lacks('createDatasource', pointer);
    return;
  }
  const pointer = '/parameters/datasource/datasourceId';
  const row = await findRow(where, datasource.datasourceId);
  if (!row) throw unusableAt(pointer, 'There is no such datasource in this project.');
  if (caller) requireSight(caller, 'editDatasource', { createdBy: row.created_by, pointer });
  if (row.type !== spec.datasourceType) {
    throw unusableAt(pointer, `It is of type ${row.type}; this job makes ${spec.datasourceType}.`);
  }
}

async function requireOutput({ db, projectId, caller }: Where, { output }: JobParameters): Promise<void> {
  const base = '/parameters/options/output';
  if (output.prefix !== undefined && output.prefix !== '') folderKeyOf(output.prefix, `${base}/prefix`);
  if (output.dataBucketId === undefined) return;
  const pointer = `${base}/dataBucketId`;
  const bucket = await findBucket(db, projectId, output.dataBucketId);
  if (!bucket) throw unusableAt(pointer, 'There is no such data bucket in this project.');
  if (caller) requireSight(caller, 'uploadToDataBucket', { createdBy: bucket.createdBy, pointer });
}

function findRow({ db, projectId }: Where, id: string) {
  return db
    .selectFrom('datasource')
    .select(['type', 'created_by', 'bucket_id', 'bucket_key'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

function requireSight(
  caller: Caller,
  permission: Permission,
  { createdBy, pointer }: { createdBy: string; pointer: string },
): void {
  if (!maySee(caller, permission, createdBy)) throw lacks(permission, pointer);
}

const lacks = (permission: Permission, pointer: string) =>
  new Failure('forbidden', `${pointer}: You need the permission ${permission} for it.`);

const nameOf = (key: string) => key.replace(/\/$/, '').split('/').at(-1)!;
