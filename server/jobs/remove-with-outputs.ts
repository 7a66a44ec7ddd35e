import type { Deleted } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import { extendStatementTimeout } from '../base/database/extend-statement-timeout.ts';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { notify } from '../base/database/notifications.ts';
import { deleteDatasource } from '../datasources/store.ts';
import { Failure, notFound } from '../base/failure.ts';
import { maySee, type Caller } from '../base/caller.ts';
import { moveToTrash } from '../base/trash/move-to-trash.ts';
import { requireUnusedOutputs } from '../files/used-by/in-use.ts';
import { lockMadeBy, type MadeByJob } from './made-by-job.ts';
import { deleteEndedJob, type JobRow } from './store.ts';

interface Removal {
  readonly projectId: string;
  readonly jobId: string;
  readonly force: boolean;
}

/**
 * Moves an ended job and its remaining outputs to the trash as one item, which is restored as one.
 * @throws Failure `conflict` if the job has not ended, or if outputs are in use and `force` is false
 */
export async function removeJobWithOutputs(
  { db, now }: Context,
  caller: Caller,
  { projectId, jobId, force }: Removal,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    await extendStatementTimeout(tx);
    const job = await lockEnded(tx, projectId, jobId);
    // an inspection has no outputs
    if (job.task_id === null) return { numberOfDeletedItems: await deleteEndedJob(tx, projectId, jobId) };
    const made = await lockMadeBy(tx, job);
    requireParts(caller, made);
    const { bucket, keys, datasources } = made;
    const entry = {
      projectId,
      type: 'job',
      name: job.task_name ?? job.job_type,
      resourceId: jobId,
      ...(bucket && { bucketId: bucket._id }),
      ownerId: job.created_by,
      by: caller.userId,
      from: caller,
      now: now(),
    } as const;
    const numberOfDeletedItems = await moveToTrash(tx, entry, async () => {
      const files = bucket ? await deleteFiles(tx, bucket._id, keys) : 0;
      if (!force) await requireUnusedOutputs(tx, { projectId, ...made });
      let shown = 0;
      for (const { _id } of datasources) shown += await deleteDatasource(tx, _id);
      return files + shown + (await deleteEndedJob(tx, projectId, jobId));
    });
    await notify(tx, 'accessChanged', datasources.length > 0 || !bucket ? '' : `bucket:${bucket._id}`);
    return { numberOfDeletedItems };
  });
}

async function lockEnded(
  tx: Db,
  projectId: string,
  jobId: string,
): Promise<JobRow & { task_name: string | null }> {
  const { rows } = await sql<JobRow & { task_name: string | null }>`
    select j.*, t.name as task_name from job j left join task t on t.id = j.task_id
    where j.project_id = ${projectId} and j.id = ${jobId} for update of j`.execute(tx);
  const [job] = rows;
  if (!job) throw notFound('job');
  if (job.end_time === null) throw new Failure('conflict', `The job is ${job.state}. Cancel it first.`);
  return job;
}

/** Requires the same permissions as deleting each output separately. */
function requireParts(caller: Caller, { bucket, keys, datasources }: MadeByJob): void {
  if (bucket && keys.length > 0 && !maySee(caller, 'editDataBucket', bucket.createdBy))
    throw lacking('editDataBucket', 'the files of this job');
  if (!datasources.every(({ createdBy }) => maySee(caller, 'deleteDatasource', createdBy)))
    throw lacking('deleteDatasource', 'the datasources of this job');
}

const lacking = (permission: string, what: string) =>
  new Failure('forbidden', `You need the permission ${permission} to delete ${what}.`);

async function deleteFiles(tx: Db, bucketId: string, keys: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`delete from object
    where bucket_id = ${bucketId} and key = any(${[...keys]}::text[])`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
