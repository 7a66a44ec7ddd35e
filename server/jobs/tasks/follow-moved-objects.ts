import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import { findDefaultBucket } from '../../files/buckets/store.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { checkParameters, type JobParameters } from '../types/check-parameters.ts';
import { replaceTaskReferences } from './references.ts';
import { movedParameters, type Move } from '../../files/objects/moved-parameters.ts';
import { findObject } from '../../files/objects/store.ts';
import { isFolder, type Transfer } from '../../files/objects/transfer-store.ts';

const batch = 100;

interface Row {
  id: string;
  job_type: string;
  parameters: FreeForm;
}

/** Updates the parameters of tasks and active jobs that refer to moved objects. */
export async function relocateTasks(tx: Db, transfer: Transfer): Promise<void> {
  const { projectId, by, now } = transfer;
  const move = await moveOf(tx, transfer);
  for await (const { id, job_type: jobType, parameters } of affected(tx, 'task', transfer, move)) {
    await sql`update task set parameters = ${JSON.stringify(parameters)}, revision = revision + 1,
      updated_at = ${now}, updated_by = ${by} where id = ${id}`.execute(tx);
    const checked = checkedOrNothing(jobType, parameters);
    if (checked) await replaceTaskReferences(tx, { projectId, taskId: id }, checked);
  }
  for await (const { id, parameters } of affected(tx, 'job', transfer, move))
    await sql`update job set parameters = ${JSON.stringify(parameters)} where id = ${id}`.execute(tx);
}

/** A task whose type is no longer installed, or has other parameters now, must not keep its old references. */
function checkedOrNothing(jobType: string, parameters: FreeForm): JobParameters | undefined {
  try {
    return checkParameters(jobType, parameters);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

async function moveOf(tx: Db, { projectId, from, to }: Transfer): Promise<Move> {
  const name = from.key.slice(0, -1);
  const isFileToo = isFolder(from) && (await findObject(tx, from.bucketId, name)) !== undefined;
  return { from, to, isFileToo, defaultBucketId: await findDefaultBucket(tx, projectId) };
}

/**
 * Yields the rows whose parameters the move changes, with the new parameters. A bucket that is not named is the
 * default one.
 */
async function* affected(
  tx: Db,
  table: 'task' | 'job',
  { projectId, from }: Transfer,
  move: Move,
): AsyncGenerator<Row> {
  const isOpen = table === 'job' ? sql` and state in ('queued', 'running')` : sql``;
  const isNamed =
    from.bucketId === move.defaultBucketId ? sql`true` : sql`strpos(parameters::text, ${from.bucketId}) > 0`;
  for (let after = ''; ;) {
    const { rows } = await sql<Row>`
      select id, job_type, parameters from ${sql.table(table)}
      where project_id = ${projectId} and id > ${after}${isOpen} and ${isNamed}
      order by id limit ${batch} for update`.execute(tx);
    for (const row of rows) {
      const parameters = movedParameters(row.parameters, move);
      if (parameters) yield { ...row, parameters };
    }
    if (rows.length < batch) return;
    after = rows.at(-1)!.id;
  }
}
