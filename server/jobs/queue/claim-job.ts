import { setTimeout as sleep } from 'node:timers/promises';
import { leaseMs, type ClaimedJob } from '@platen/contract/runner';
import type { FreeForm } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { checkParameters, requireJobSpec } from '../types/check-parameters.ts';
import { inputsOfJob } from '../types/job-inputs.ts';
import { resolveInputs, resolveReferences, type ResolvedInput } from '../types/references.ts';
import type { JobRow } from '../store.ts';
import { admissionOf } from '../types/admission.ts';
import { runnerOf } from './authorise-runner.ts';
import { claim, type ClaimedRow } from './claim.ts';
import { endHeld } from './end-held.ts';
import { giveBack } from './give-back.ts';
import { leaseClock } from './lease-clock.ts';
import { untilNotified } from '../../base/database/until-notified.ts';
import { waitTurn } from './wait-turn.ts';
import { roomLeft } from '../../files/usage/operations.ts';

interface Wish {
  readonly waitSeconds: number;
  /** Aborts when the runner hung up. */
  readonly signal: AbortSignal;
}

type Found = ClaimedJob | 'contended' | undefined;

/** Of another claim, or of a change of a job that waits: held for the time of a commit. */
const contendedMs = 10;
const looksAtOnce = 20;
/** Somebody holds a row for longer than that. */
const heldLongMs = 250;

/** Hands out the next job, or waits for one until the time is over or the signal aborts. */
export async function claimJob(
  context: Context,
  caller: Caller,
  { waitSeconds, signal }: Wish,
): Promise<{ job?: ClaimedJob }> {
  const found = await claimOne(context, caller); // where there is much to do, nobody need wait for it
  if (isJob(found)) return handOver(context, found, signal);
  if (waitSeconds === 0) return {};
  const waiting = untilNotified(context.notifications, 'jobQueued', { ms: waitSeconds * 1000, signal });
  try {
    for (;;) {
      const notified = waiting.next(); // before looking, so that nothing queued in between is missed
      const job = await claimOne(context, caller);
      if (isJob(job)) return await handOver(context, job, signal);
      const again = job === 'contended' ? [notified, sleep(heldLongMs, true)] : [notified];
      if (!(await Promise.race(again))) return {};
    }
  } finally {
    waiting.end();
  }
}

const isJob = (found: Found): found is ClaimedJob => typeof found === 'object';

/** Nobody is left to answer: then it is for another runner. */
async function handOver(
  { db, now }: Context,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<{ job?: ClaimedJob }> {
  if (!signal.aborted) return { job };
  await inTransaction(db, (tx) => giveBack(tx, job, { now: now() }));
  return {};
}

/** A job whose inputs are gone fails here, and the next one is looked at. */
async function claimOne(context: Context, caller: Caller): Promise<Found> {
  for (let contended = 0; ;) {
    const token = newSecret();
    const row = await claimRow(context, caller, token);
    if (row === undefined) return undefined;
    if (row === 'contended') {
      if (++contended === looksAtOnce) return row;
      await sleep(contendedMs);
      continue;
    }
    const job = await prepare(context, row, token);
    if (job) return job;
  }
}

function claimRow(
  context: Context,
  caller: Caller,
  token: string,
): Promise<ClaimedRow | 'contended' | undefined> {
  const { db, settings, now } = context;
  const { runnerId, labels, typeNames } = runnerOf(caller);
  const tokenHash = hashSecret(token);
  const clock = leaseClock(context);
  return claim(db, { runnerId, labels, typeNames, tokenHash, now: now(), clock, settings });
}

async function prepare(context: Context, row: ClaimedRow, token: string): Promise<ClaimedJob | undefined> {
  try {
    const { inputs, options } = await startOf(context, row);
    const obstacle = await admissionOf(row.type_name)?.lockTarget(context.db, row, options);
    if (obstacle !== undefined) {
      await waitTurn(context, row, obstacle);
      return undefined;
    }
    // an inspection stores nothing, and stands in no list of types
    const stores = row.task_id !== null && requireJobSpec(row.job_type).storesInputs;
    const fetchLimit = stores && (await roomLeft(context, row.project_id));
    return { ...claimedJob(row, { token, inputs, options }), ...(fetchLimit && { fetchLimit }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const fence = { jobId: row.id, attempt: row.attempt };
    await endHeld(context, fence, { code: 'cannotStart', message: error.message, warnings: [] });
    return undefined;
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

function claimedJob(row: ClaimedRow, { token, inputs, options }: Start): ClaimedJob {
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
    leaseUntil: row.lease_until.toISOString(),
    // both were set as it was claimed
    timeoutSeconds: Math.round((row.deadline_at.getTime() - row.lease_until.getTime() + leaseMs) / 1000),
  };
}
