import { rejectsFile } from '@platen/contract/job-files';
import type { Datasource } from '@platen/contract/datasources';
import { hasEnded, type Job } from '@platen/contract/jobs';
import { findBucket, findDefaultBucket } from '../../files/buckets/store.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { createDatasource } from '../../datasources/operations.ts';
import { Failure, unusableAt } from '../../base/failure.ts';
import { requirePermission, type Caller } from '../../base/caller.ts';
import { getJob } from '../operations.ts';
import type { Sendable } from '../../files/objects/download.ts';
import { existsAlready } from '../../files/objects/ingest.ts';
import { folderKeyOf, keyOf } from '../../files/objects/key.ts';
import { insertObject } from '../../files/objects/store.ts';
import { requireQuota } from '../../files/usage/reserve.ts';
import { outputFolderOf } from '../output-folder.ts';
import { sendableOf } from './operations.ts';
import { findJobFile, type StoredJobFile } from './store.ts';

interface Path {
  readonly projectId: string;
  readonly jobId: string;
}

/** The rejected features of the latest attempt. @throws Failure `not_found` */
async function findRejects(
  context: Context,
  { projectId, jobId }: Path,
  options?: { lock: boolean },
): Promise<StoredJobFile> {
  const job = await getJob(context, projectId, jobId);
  const file = await findJobFile(context.db, { projectId, jobId, name: rejectsFile }, options);
  if (file?.attempt === job.attempt) return file;
  throw new Failure('not_found', whyNone(job));
}

function whyNone({ state }: Job): string {
  if (!hasEnded(state)) return `The job is ${state}. Rejected features are available when it has ended.`;
  return 'The job has no file of rejected features. It rejected none, or its log says why the file could not be stored.';
}

export async function getRejects(context: Context, path: Path): Promise<Sendable> {
  const file = await findRejects(context, path);
  return sendableOf(file);
}

interface DatasourceRequest {
  readonly name?: string;
  readonly dataBucketId?: string;
  readonly prefix?: string;
}

/** Publishes a copy that outlives the job; both share the blob. Runs in one transaction. */
export async function publishRejects(
  context: Context,
  caller: Caller,
  { body, ...path }: Path & { body: DatasourceRequest },
): Promise<Datasource> {
  requirePermission(caller, 'getJob', 'see the rejected features of a job');
  requirePermission(caller, 'uploadToDataBucket', 'put a file into a data bucket');
  return inTransaction(context.db, async (tx) => {
    const inside = { ...context, db: tx };
    const file = await findRejects(inside, path, { lock: true });
    const { bucketId, key } = await destinationOf(tx, path, body);
    await copyInto(inside, caller, { ...path, bucketId, key, file });
    const { name = `Rejected features of job ${path.jobId}` } = body;
    const sourceProperties = { type: 'internal', dataBucketId: bucketId, dataBucketKey: key } as const;
    const datasource = { name, type: 'geojson', sourceProperties } as const;
    return createDatasource(inside, caller, { projectId: path.projectId, body: datasource });
  });
}

async function destinationOf(
  tx: Db,
  { projectId, jobId }: Path,
  { dataBucketId, prefix }: DatasourceRequest,
): Promise<{ bucketId: string; key: string }> {
  const folder = prefix ? folderKeyOf(prefix, '/prefix') : await outputFolderOf(tx, jobId);
  const key = keyOf(folder + rejectsFile, '/prefix');
  const bucketId = dataBucketId ?? (await findDefaultBucket(tx, projectId));
  if (!(await findBucket(tx, projectId, bucketId)))
    throw unusableAt('/dataBucketId', 'There is no such data bucket in this project.');
  return { bucketId, key };
}

interface Copy extends Path {
  readonly bucketId: string;
  readonly key: string;
  readonly file: StoredJobFile;
}

async function copyInto(
  context: Context,
  caller: Caller,
  { projectId, bucketId, key, file }: Copy,
): Promise<void> {
  const { db, now } = context;
  const { size, sha256, blobId, contentType } = file;
  await requireQuota(context, db, projectId, { bytes: size, objects: 1 });
  const row = { projectId, bucketId, key, blobId, size, sha256, contentType, by: caller.userId, now: now() };
  if (!(await insertObject(db, row))) {
    const detail = existsAlready(key).message.replace(/: [^]*$/, ': name another folder (prefix).');
    throw new Failure('conflict', detail, { errors: [{ pointer: '/prefix', code: 'exists', detail }] });
  }
  await notify(db, 'objectsChanged', bucketId);
}
