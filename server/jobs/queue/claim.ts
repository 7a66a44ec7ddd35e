import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedJob, leaseMs } from '@platen/contract/runner';
import type { FreeForm } from '@platen/contract/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Settings } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import type { Notifications } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { untilNotified } from '../../base/database/until-notified.ts';
import { Failure } from '../../base/failure.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { roomLeft } from '../../files/usage/operations.ts';
import { runnerOf } from '../runners/authorise-runner.ts';
import type { JobRow } from '../store.ts';
import { admissionOf } from '../types/admission.ts';
import { checkParameters, requireJobSpec } from '../types/check-parameters.ts';
import { findFormerRun, type FormerRun } from '../types/find-former.ts';
import { inputsOfJob } from '../types/job-inputs.ts';
import { type ResolvedInput, resolveInputs, resolveReferences } from '../types/references.ts';
import { failAttempt } from './fail.ts';
import { giveBack, requeue } from './give-back.ts';
import { leaseClock } from './lease.ts';

interface ClaimWait {
  readonly waitSeconds: number;
  /** Aborts when the runner disconnects. */
  readonly signal: AbortSignal;
}

type ClaimResult = ClaimedJob | 'contended' | undefined;

/** Another claim or an update of a queued job holds the rows only until its commit. */
const contendedDelayMs = 10;

const maxContendedTries = 20;

/** Delay when rows stay locked for longer. */
const lockedRetryMs = 250;

/** Returns the next job, or waits for one until the time is over or the signal aborts. */
export async function claimJob(
  context: Context,
  caller: Caller,
  { waitSeconds, signal }: ClaimWait,
): Promise<{ job?: ClaimedJob }> {
  const first = await claimOne(context, caller); // without a listener, which a busy queue does not need
  if (isJob(first)) return handOver(context, first, signal);
  if (waitSeconds === 0) return {};
  const waiting = untilNotified(context.notifications, 'jobQueued', { ms: waitSeconds * 1000, signal });
  try {
    for (;;) {
      const notified = waiting.next(); // before the query, so that no job queued in between is missed
      const job = await claimOne(context, caller);
      if (isJob(job)) return await handOver(context, job, signal);
      const again = job === 'contended' ? [notified, sleep(lockedRetryMs, true)] : [notified];
      if (!(await Promise.race(again))) return {};
    }
  } finally {
    waiting.end();
  }
}

const isJob = (result: ClaimResult): result is ClaimedJob => typeof result === 'object';

/** Requeues the job if the runner has disconnected meanwhile. */
async function handOver(
  { db, now }: Context,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<{ job?: ClaimedJob }> {
  if (!signal.aborted) return { job };
  await inTransaction(db, (tx) => giveBack(tx, job, { now: now() }));
  return {};
}

/** Claims the next job that can start. Jobs whose inputs no longer exist fail here. */
async function claimOne(context: Context, caller: Caller): Promise<ClaimResult> {
  for (let contended = 0; ;) {
    const token = newSecret();
    const row = await takeNextFor(context, caller, token);
    if (row === undefined) return undefined;
    if (row === 'contended') {
      if (++contended === maxContendedTries) return row;
      await sleep(contendedDelayMs);
      continue;
    }
    const job = await prepare(context, row, token);
    if (job) return job;
  }
}

function takeNextFor(
  context: Context,
  caller: Caller,
  token: string,
): Promise<ClaimedRow | 'contended' | undefined> {
  const { db, settings, now } = context;
  const { runnerId, labels, typeNames } = runnerOf(caller);
  const tokenHash = hashSecret(token);
  const clock = leaseClock(context);
  return takeNextJob(db, { runnerId, labels, typeNames, tokenHash, now: now(), clock, settings });
}

async function prepare(context: Context, row: ClaimedRow, token: string): Promise<ClaimedJob | undefined> {
  try {
    const { inputs, options, former } = await resolveJob(context, row);
    const obstacle = await admissionOf(row.type_name)?.lockTarget(context.db, row, options);
    if (obstacle !== undefined) {
      await requeue(context, row, obstacle);
      return undefined;
    }
    // an inspection stores nothing and is not in the catalogue
    const stores = row.task_id !== null && requireJobSpec(row.job_type).storesInputs;
    const fetchLimit = stores && (await roomLeft(context, row.project_id));
    return { ...claimedJob(row, { token, inputs, options, former }), ...(fetchLimit && { fetchLimit }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const fence = { jobId: row.id, attempt: row.attempt };
    await failAttempt(context, fence, { code: 'cannotStart', message: error.message, warnings: [] });
    return undefined;
  }
}

/** Resolves all references again, because they may have been deleted since the task was saved. */
async function resolveJob(
  { db }: Context,
  job: JobRow,
): Promise<Pick<PreparedJob, 'inputs' | 'options' | 'former'>> {
  const scope = { db, projectId: job.project_id };
  if (job.task_id === null) {
    const { input: _input, ...options } = (job.parameters as { options: FreeForm }).options;
    return { inputs: await resolveInputs(scope, inputsOfJob(job)), options };
  }
  const parameters = checkParameters(job.job_type, job.parameters);
  const inputs = await resolveReferences(scope, parameters);
  const former = await findFormerRun(scope, parameters);
  return { inputs, options: parameters.options, ...(former && { former }) };
}

interface PreparedJob {
  readonly token: string;
  readonly inputs: readonly ResolvedInput[];
  readonly options: FreeForm;
  readonly former?: FormerRun | undefined;
}

function claimedJob(row: ClaimedRow, { token, inputs, options, former }: PreparedJob): ClaimedJob {
  return {
    jobId: row.id,
    attempt: row.attempt,
    token,
    jobType: row.job_type,
    debugLevel: row.debug_level,
    options,
    inputs: inputs.map(({ kind, name, size, sha256, url, source: { layer, crs, encoding } }) => ({
      kind,
      name,
      size,
      ...(sha256 !== undefined && { sha256 }),
      ...(url !== undefined && { url }),
      ...(layer !== undefined && { layer }),
      ...(crs !== undefined && { crs }),
      ...(encoding !== undefined && { encoding }),
    })),
    ...(former && { former: formerOf(former) }),
    leaseUntil: row.lease_until.toISOString(),
    // the claim has set both from the same time
    timeoutSeconds: Math.round((row.deadline_at.getTime() - row.lease_until.getTime() + leaseMs) / 1000),
  };
}

const formerOf = ({ fingerprint, recipe, files }: FormerRun) => ({
  fingerprint,
  ...(recipe !== undefined && { recipe }),
  files: [...files],
});

interface RunnerWait {
  readonly runnerId: string;
  readonly signal: AbortSignal;
}

/** Aborts the wait when the runner is removed, so that it gets no further job. */
export async function untilRunnerRemoved<T>(
  notifications: Notifications,
  { runnerId, signal }: RunnerWait,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const removed = new AbortController();
  const unsubscribe = notifications.on('runnerRemoved', (id) => {
    if (id === runnerId || id === '') removed.abort(); // notifications were missed: the runner polls again, if it still may
  });
  try {
    return await wait(AbortSignal.any([signal, removed.signal]));
  } finally {
    unsubscribe();
  }
}

interface ClaimCriteria {
  readonly runnerId: string;
  readonly labels: readonly string[];
  /** Names of the job types that the runner supports; null: any. */
  readonly typeNames: readonly string[] | null;
  /** SHA-256 of the token of this attempt. */
  readonly tokenHash: Buffer;
  readonly now: Date;
  /** The clock of leases. */
  readonly clock: RawBuilder<Date>;
  readonly settings: Pick<Settings, 'maxRunningJobs' | 'jobTimeoutMs'>;
}

export interface ClaimedRow extends JobRow {
  readonly lease_until: Date;
  readonly deadline_at: Date;
}

/**
 * Claims the next job that this runner can run: of the project whose turn it is, by priority, oldest first
 * (`claim_job`). Returns `contended` if there may be one, but another transaction held the rows.
 */
export async function takeNextJob(
  db: Db,
  { runnerId, labels, typeNames, tokenHash, now, clock, settings }: ClaimCriteria,
): Promise<ClaimedRow | 'contended' | undefined> {
  const { rows } = await sql<ClaimedRow | { id: null }>`
    select * from claim_job(${runnerId}, ${[...labels]}, ${typeNames && [...typeNames]}, ${tokenHash}, ${now},
      ${clock}, ${leaseMs / 1000}, ${settings.maxRunningJobs ?? null}, ${settings.jobTimeoutMs / 1000})`.execute(
    db,
  );
  const [row] = rows;
  return row && row.id === null ? 'contended' : row;
}
