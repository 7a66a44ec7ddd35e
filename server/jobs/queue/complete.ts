import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobState } from '@platen/contract/jobs';
import type { JobCompletion } from '@platen/contract/job-end';
import { datasourceTypesOf } from '@platen/processing/job-type';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { findBucket, findDefaultBucket } from '../../files/buckets/store.ts';
import { folderKeyOf } from '../../files/objects/key.ts';
import { type Uploaded, inspectAfterUpload } from '../inspect/after-upload.ts';
import { keepReport } from '../inspect/keep-report.ts';
import { keepSamples } from '../object-sample/keep-samples.ts';
import { outputFolderOf } from '../output-folder.ts';
import { publishDatasources } from '../publish-datasources.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { JobRow } from '../store.ts';
import { type JobParameters, checkParameters } from '../types/check-parameters.ts';
import { findFormerRun } from '../types/find-former.ts';
import { endAborted } from './abort.ts';
import { endJob, completeWithoutOutputs } from './end.ts';
import { endWithoutEffects } from './fail.ts';
import type { Fence } from './fence.ts';
import { giveBack } from './give-back.ts';
import { leaseLost, lockHeld } from './lease.ts';
import { keepOutputs } from './keep-outputs.ts';
import { dropOutputs } from './outputs.ts';

/**
 * Ends a job with all of its effects or none: files, datasource and state change in one transaction, only for the
 * attempt that holds the job. If an effect is no longer possible, the job fails.
 * @throws Failure `conflict` when the job is no longer held
 */
export async function completeJob(
  context: Context,
  caller: Caller,
  completion: JobCompletion,
): Promise<{ state: JobState }> {
  const fence = fenceOf(caller);
  const { db, now } = context;
  if (await completedWithoutEffects(context, fence, completion)) return { state: 'succeeded' };
  const notHeld = leaseLost();
  try {
    const { state, uploads = [] } = await inTransaction(db, async (tx) => {
      const job = await lockHeld(tx, fence);
      if (!job) throw notHeld;
      const ending = { job, now: now(), completion };
      return job.abort_requested ? abortJob(tx, ending) : succeed(tx, ending);
    });
    for (const upload of uploads) void inspectAfterUpload(context, upload);
    return { state };
  } catch (error) {
    // the transaction was rolled back, with all effects
    if (!(error instanceof Failure) || error === notHeld) throw error;
    return inTransaction(db, async (tx) => {
      const job = await lockHeld(tx, fence);
      if (!job) throw notHeld;
      const { warnings } = completion;
      const end = { code: codeOf(error), message: error.message, warnings, now: now() };
      return { state: await endWithoutEffects(tx, job, end) };
    });
  }
}

/** Ends a job that publishes and stores nothing in one statement. False if it has uploaded outputs. */
async function completedWithoutEffects(
  { db, now }: Context,
  fence: Fence,
  { datasource, isUnchanged, report, warnings }: JobCompletion,
): Promise<boolean> {
  if (datasource || isUnchanged || report) return false;
  const end = { jobId: fence.jobId, state: 'succeeded', warnings, now: now() } as const;
  return completeWithoutOutputs(db, fence, end);
}

const maxReportBytes = 256 * 1024;

interface CompletionContext {
  readonly job: JobRow;
  readonly completion: JobCompletion;
  readonly now: Date;
}

interface CompletionResult {
  readonly state: JobState;
  /** Files fetched from the web, as opposed to files made from others. */
  readonly uploads?: readonly Uploaded[];
}

async function abortJob(
  tx: Db,
  { job: { id: jobId }, completion, now }: CompletionContext,
): Promise<CompletionResult> {
  await dropOutputs(tx, jobId);
  await endAborted(tx, { jobId, warnings: completion.warnings, now });
  return { state: 'aborted' };
}

async function succeed(tx: Db, { job, completion, now }: CompletionContext): Promise<CompletionResult> {
  const { id: jobId, attempt, project_id: projectId, created_by: by } = job;
  const { report, warnings } = completion;
  if (report && Buffer.byteLength(JSON.stringify(report)) > maxReportBytes)
    throw new Failure('unprocessable', 'The report of the job is larger than 256 KiB.');
  const end = { jobId, state: 'succeeded', warnings, ...(report && { report }), now } as const;
  if (job.task_id === null) {
    await keepReport(tx, { job, report, now });
    await keepSamples(tx, job, completion.samples);
    await dropOutputs(tx, jobId);
    await endJob(tx, end);
    return { state: 'succeeded' };
  }
  const parameters = checkParameters(job.job_type, job.parameters);
  if (completion.isUnchanged) {
    const former = await findFormerRun({ db: tx, projectId }, parameters);
    if (!former || former.fingerprint !== completion.fingerprint)
      return giveBackChanged(tx, { jobId, attempt }, now);
    await dropOutputs(tx, jobId);
    await endJob(tx, { ...end, outputs: former.outputs });
    return { state: 'succeeded' };
  }
  const { bucketId, folder } = await destinationOf(tx, job, parameters);
  const { overwrite } = parameters.output;
  const destination = { projectId, bucketId, folder, overwrite, by, now };
  const { outputs, files } = await keepOutputs(tx, { jobId, attempt }, destination);
  const { datasource: command, spec } = parameters;
  if (command) {
    const place = { bucketId, folder, attempt };
    outputs.push(...(await publishDatasources(tx, { completion, command, spec, job, place, now })));
  }
  await dropOutputs(tx, jobId);
  await endJob(tx, { ...end, outputs, outputFiles: files });
  await notify(tx, 'accessChanged', `bucket:${bucketId}`);
  await notify(tx, 'objectsChanged', bucketId);
  const keys = outputs.flatMap(({ dataBucketKey }) => dataBucketKey ?? []);
  const uploads = isUpload(parameters) ? keys.map((key) => ({ projectId, bucketId, key, by })) : [];
  return { state: 'succeeded', uploads };
}

/** The next attempt processes the inputs. */
async function giveBackChanged(tx: Db, fence: Fence, now: Date): Promise<CompletionResult> {
  const message = 'The datasource was changed meanwhile. The job starts again and processes its inputs.';
  return { state: (await giveBack(tx, fence, { message, now }))! };
}

function codeOf({ errors }: Failure): FailureCode {
  return errors.some(({ code }) => code === 'badName') ? 'badName' : 'cannotPublish';
}

const isUpload = ({ spec }: JobParameters) => datasourceTypesOf(spec).length === 0;

async function destinationOf(
  tx: Db,
  job: JobRow,
  parameters: JobParameters,
): Promise<{ bucketId: string; folder: string }> {
  const { dataBucketId, prefix } = parameters.output;
  const otherwise = () => (isUpload(parameters) ? '' : outputFolderOf(tx, job.id));
  const folder = prefix ? folderKeyOf(prefix) : await otherwise();
  const bucketId = dataBucketId ?? (await findDefaultBucket(tx, job.project_id));
  if (!(await findBucket(tx, job.project_id, bucketId)))
    throw new Failure('unusable_reference', 'The data bucket for the output no longer exists.');
  return { bucketId, folder };
}
