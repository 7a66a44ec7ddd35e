import type { JobLogEntry, JobState } from '@platen/contract/jobs';
import type { ClaimedJob, RunnerLogEntry, RunnerProgress } from '@platen/contract/runner';
import type { FreeForm } from '@platen/contract/schema';
import type { Context } from '../context.ts';
import { inTransaction } from '../database/database.ts';
import { Failure } from '../failure.ts';
import type { Caller } from '../iam/caller.ts';
import { hashSecret, newSecret } from '../iam/tokens.ts';
import { newId } from '../ids.ts';
import { checkParameters } from '../job-types/check-parameters.ts';
import { inputsOfJob } from '../job-types/job-inputs.ts';
import { resolveInputs, resolveReferences, type ResolvedInput } from '../job-types/references.ts';
import type { JobRow } from '../jobs/store.ts';
import { appendLog } from './append-log.ts';
import { fenceOf, runnerOf } from './authorise-runner.ts';
import { claim } from './claim.ts';
import { dropOutputs } from './drop-outputs.ts';
import { extendLease } from './extend-lease.ts';
import { finish } from './finish.ts';
import { isAbortRequested } from './is-abort-requested.ts';
import { lockHeld } from './lock-held.ts';
import { note } from './note.ts';
import { release } from './release.ts';
import { reportProgress } from './report-progress.ts';
import { enrolRunner, mayEnrol } from './runners.ts';
import { untilNotified } from './until-notified.ts';

interface Enrolment {
  readonly enrolmentToken: string;
  readonly name: string;
  readonly labels: string[];
  readonly version: string;
}

export async function enrol(
  { db, now }: Context,
  { enrolmentToken, ...runner }: Enrolment,
): Promise<{ runnerId: string; token: string }> {
  if (!(await mayEnrol(db, hashSecret(enrolmentToken), now())))
    throw new Failure('unauthenticated', 'This is no enrolment token, or it has expired.');
  const token = newSecret();
  const row = { ...runner, id: newId(now()), tokenHash: hashSecret(token), now: now() };
  return { runnerId: await enrolRunner(db, row), token };
}

/** Hands out the next job, or waits for one until the time is over or the signal aborts (the runner hung up). */
export async function claimJob(
  context: Context,
  caller: Caller,
  { waitSeconds, signal }: { waitSeconds: number; signal: AbortSignal },
): Promise<{ job?: ClaimedJob }> {
  const waiting = untilNotified(context.notifications, 'jobQueued', { ms: waitSeconds * 1000, signal });
  try {
    for (;;) {
      const notified = waiting.next(); // before looking, so that nothing queued in between is missed
      const job = await claimOne(context, caller);
      if (job && signal.aborted) await giveBack(context, job);
      else if (job) return { job };
      if (!(await notified)) return {};
    }
  } finally {
    waiting.end();
  }
}

/** A job whose inputs are gone fails here, and the next one is looked at. */
async function claimOne(context: Context, caller: Caller): Promise<ClaimedJob | undefined> {
  const { runnerId, labels } = runnerOf(caller);
  for (;;) {
    const token = newSecret();
    const now = context.now();
    const row = await claim(context.db, { runnerId, labels, tokenHash: hashSecret(token), now });
    if (!row) return undefined;
    try {
      const { inputs, options } = await startOf(context, row);
      return claimedJob(row, { token, inputs, options });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const fence = { jobId: row.id, attempt: row.attempt };
      await endHeld(context, fence, { code: 'cannotStart', message: error.message, warnings: [] });
    }
  }
}

/** Everything that the parameters name is found again, as it may have gone since the task was written. */
async function startOf(
  { db }: Context,
  job: JobRow,
): Promise<{ inputs: ResolvedInput[]; options: FreeForm }> {
  const where = { db, projectId: job.project_id };
  if (job.task_id === null) return { inputs: await resolveInputs(where, inputsOfJob(job)), options: {} };
  const parameters = checkParameters(job.job_type, job.parameters);
  const inputs = await resolveReferences(where, parameters);
  return { inputs, options: parameters.options };
}

interface Start {
  readonly token: string;
  readonly inputs: readonly ResolvedInput[];
  readonly options: FreeForm;
}

function claimedJob(row: JobRow, { token, inputs, options }: Start): ClaimedJob {
  return {
    jobId: row.id,
    attempt: row.attempt,
    token,
    jobType: row.job_type,
    debugLevel: row.debug_level,
    options,
    inputs: inputs.map(({ kind, name, size, source: { layer, crs, encoding } }) => ({
      kind,
      name,
      size,
      ...(layer !== undefined && { layer }),
      ...(crs !== undefined && { crs }),
      ...(encoding !== undefined && { encoding }),
    })),
    leaseUntil: row.lease_until!.toISOString(),
  };
}

async function giveBack(context: Context, { jobId, attempt }: ClaimedJob): Promise<void> {
  await inTransaction(context.db, (tx) => release(tx, { jobId, attempt }, context.now()));
}

/** Extends the lease and answers at once when the job was asked to stop, else when the time is over. */
export async function heartbeat(
  { db, now, notifications }: Context,
  caller: Caller,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<{ abort: boolean; leaseUntil: string }> {
  const fence = fenceOf(caller);
  const waiting = untilNotified(notifications, 'jobAborted', { ms: waitMs, signal });
  try {
    const isOurs = (jobId: string) => jobId === '' || jobId === fence.jobId;
    let notified = waiting.next(isOurs);
    const lease = await extendLease(db, fence, now());
    if (!lease) throw lost();
    let { abort } = lease;
    while (!abort && (await notified)) {
      notified = waiting.next(isOurs);
      abort = await isAbortRequested(db, fence);
    }
    return { abort, leaseUntil: lease.until.toISOString() };
  } finally {
    waiting.end();
  }
}

export async function takeProgress(
  { db, now }: Context,
  caller: Caller,
  body: RunnerProgress,
): Promise<void> {
  if (!(await reportProgress(db, fenceOf(caller), { ...body, now: now() }))) throw lost();
}

export async function takeLog(
  { db }: Context,
  caller: Caller,
  body: { first: number; entries: RunnerLogEntry[] },
): Promise<void> {
  if (!(await appendLog(db, fenceOf(caller), body))) throw lost();
}

interface Ending {
  readonly code: string;
  readonly message: string;
  readonly warnings: JobRow['warnings'];
}

export async function failJob(context: Context, caller: Caller, body: Ending): Promise<{ state: JobState }> {
  return { state: await endHeld(context, fenceOf(caller), body) };
}

async function endHeld(
  { db, now }: Context,
  fence: { jobId: string; attempt: number },
  { code, message, warnings }: Ending,
): Promise<JobState> {
  return inTransaction(db, async (tx) => {
    const job = await lockHeld(tx, fence);
    if (!job) throw lost();
    const state = job.abort_requested ? 'aborted' : 'failed';
    const error = state === 'failed' && { errorCode: code, errorMessage: message };
    const level: JobLogEntry['level'] = state === 'failed' ? 'error' : 'info';
    const text = state === 'failed' ? message : 'The job was aborted.';
    await dropOutputs(tx, fence.jobId);
    await note(tx, { jobId: fence.jobId, level, message: text, now: now() });
    await finish(tx, { jobId: fence.jobId, state, warnings, ...error, now: now() });
    return state;
  });
}

/** A runner that is shut down gives its job back; that does not count as lost. */
export async function releaseJob({ db, now }: Context, caller: Caller): Promise<{ state: JobState }> {
  const fence = fenceOf(caller);
  return inTransaction(db, async (tx) => {
    const job = await lockHeld(tx, fence);
    if (!job) throw lost();
    await dropOutputs(tx, fence.jobId);
    if (job.abort_requested) {
      await finish(tx, { jobId: fence.jobId, state: 'aborted', warnings: job.warnings, now: now() });
      return { state: 'aborted' };
    }
    const message = `The runner of attempt ${fence.attempt} was shut down: the job waits for another.`;
    await note(tx, { jobId: fence.jobId, level: 'info', message, now: now() });
    await release(tx, fence, now());
    return { state: 'queued' };
  });
}

export function lost(): Failure {
  return new Failure(
    'conflict',
    'You no longer hold this job: another attempt took its place, or it has ended.',
  );
}
