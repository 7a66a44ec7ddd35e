import type { JobOutput, JobState } from '@platen/contract/jobs';
import type { JobCompletion } from '@platen/contract/runner';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { Failure } from '../failure.ts';
import type { Caller } from '../iam/caller.ts';
import { checkParameters, type JobParameters } from '../job-types/check-parameters.ts';
import { folderKeyOf } from '../objects/key.ts';
import { fenceOf } from '../queue/authorise-runner.ts';
import { dropOutputs } from '../queue/drop-outputs.ts';
import { finish } from '../queue/finish.ts';
import { lockHeld } from '../queue/lock-held.ts';
import { note } from '../queue/note.ts';
import { lost } from '../queue/operations.ts';
import { takeOutputs } from '../queue/take-outputs.ts';
import { forgetServed } from '../serving/forget.ts';
import { publishDatasource } from './publish-datasource.ts';
import type { JobRow } from './store.ts';

/**
 * Ends a job with all its effects, or with none: files, datasource and state change in one transaction, and only for
 * the attempt that holds the job. An effect that has become impossible makes the job fail instead.
 * @throws Failure `conflict` when the job is no longer held
 */
export async function completeJob(
  context: Context,
  caller: Caller,
  completion: JobCompletion,
): Promise<{ state: JobState }> {
  const fence = fenceOf(caller);
  const { db, now, notifications } = context;
  const notHeld = lost();
  try {
    const { state, bucketId } = await inTransaction(db, async (tx) => {
      const job = await lockHeld(tx, fence);
      if (!job) throw notHeld;
      if (job.abort_requested) return endWithout(tx, { job, state: 'aborted', now: now(), completion });
      return succeed(tx, { job, now: now(), completion });
    });
    if (bucketId !== undefined) forgetServed(notifications, bucketId);
    return { state };
  } catch (error) {
    // the transaction is undone: nothing of the effects is left
    if (!(error instanceof Failure) || error === notHeld) throw error;
    return inTransaction(db, async (tx) => {
      const job = await lockHeld(tx, fence);
      if (!job) throw notHeld;
      return endWithout(tx, { job, state: 'failed', now: now(), completion, failure: error });
    });
  }
}

const longestReportBytes = 256 * 1024;

interface Ending {
  readonly job: JobRow;
  readonly completion: JobCompletion;
  readonly now: Date;
}

interface Ended {
  readonly state: JobState;
  /** Where files were written. */
  readonly bucketId?: string;
}

async function succeed(tx: Db, { job, completion, now }: Ending): Promise<Ended> {
  const { id: jobId, attempt, project_id: projectId, created_by: by } = job;
  const { report, warnings } = completion;
  if (report && Buffer.byteLength(JSON.stringify(report)) > longestReportBytes)
    throw new Failure('unprocessable', 'The job told more than the 256 KiB that a report may have.');
  const end = { jobId, state: 'succeeded', warnings, ...(report && { report }), now } as const;
  if (job.task_id === null) {
    await dropOutputs(tx, jobId);
    await finish(tx, end);
    return { state: 'succeeded' };
  }
  const parameters = checkParameters(job.job_type, job.parameters);
  const { bucketId, folder } = await destinationOf(tx, job, parameters);
  const files = await takeOutputs(tx, { jobId, attempt }, { projectId, bucketId, folder, by, now });
  const outputs: JobOutput[] = files.map(({ key, size }) => ({
    type: 'object',
    dataBucketId: bucketId,
    dataBucketKey: key,
    size,
  }));
  if (completion.datasource) {
    const place = { bucketId, folder, keys: new Set(files.map(({ key }) => key)) };
    const made = { made: completion.datasource, command: parameters.datasource, spec: parameters.spec };
    const datasourceId = await publishDatasource(tx, { ...made, job, place, now });
    outputs.push({ type: 'datasource', datasourceId });
  }
  await dropOutputs(tx, jobId);
  await finish(tx, { ...end, outputs });
  await notify(tx, 'accessChanged', `bucket:${bucketId}`);
  return { state: 'succeeded', bucketId };
}

interface Without extends Ending {
  readonly state: 'aborted' | 'failed';
  readonly failure?: Failure;
}

async function endWithout(tx: Db, { job, state, completion, now, failure }: Without): Promise<Ended> {
  const error = failure && { errorCode: codeOf(failure), errorMessage: failure.message };
  await dropOutputs(tx, job.id);
  await note(tx, { jobId: job.id, level: 'error', message: failure?.message ?? 'The job was aborted.', now });
  await finish(tx, { jobId: job.id, state, warnings: completion.warnings, ...error, now });
  return { state };
}

function codeOf({ errors }: Failure): string {
  return errors.some(({ code }) => code === 'badName') ? 'badName' : 'cannotPublish';
}

async function destinationOf(
  tx: Db,
  job: JobRow,
  { output: { dataBucketId, prefix } }: JobParameters,
): Promise<{ bucketId: string; folder: string }> {
  const folder = prefix ? folderKeyOf(prefix) : `.jobs/${job.id}/`;
  const row =
    dataBucketId === undefined
      ? await tx
          .selectFrom('project')
          .select('default_data_bucket_id as id')
          .where('id', '=', job.project_id)
          .executeTakeFirst()
      : await tx
          .selectFrom('data_bucket')
          .select('id')
          .where('project_id', '=', job.project_id)
          .where('id', '=', dataBucketId)
          .executeTakeFirst();
  if (!row) throw new Failure('unusable_reference', 'The data bucket for the output has gone.');
  return { bucketId: row.id, folder };
}
