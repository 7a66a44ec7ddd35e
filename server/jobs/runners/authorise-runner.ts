import type { Caller, Credential } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Lookup } from '../../base/database/lookups.ts';
import { Failure } from '../../base/failure.ts';
import { permissionsOf } from '../../identity/iam/roles.ts';
import type { Fence } from '../queue/fence.ts';

/** A runner, or the holder of one job. It is not a user and has no access to projects. */
export interface RunnerCaller extends Caller {
  readonly runnerId: string;
  readonly labels: readonly string[];
  /** Names of the job types that the runner supports; null: not reported, it gets any job. */
  readonly typeNames: readonly string[] | null;
  /** The attempt that a job token is valid for; undefined for a runner token. */
  readonly fence: Fence | undefined;
}

type AuthoriseContext = Pick<Context, 'db' | 'lookups'>;

interface JobParams {
  readonly jobId?: string;
}

/**
 * Authorises a runner token for the queue, and a job token for one attempt of one job while that attempt runs.
 * @throws Failure `unauthenticated`, also when the job has moved on to another attempt
 */
export function authoriseRunner(
  reach: AuthoriseContext,
  access: 'runner' | 'job',
  params: JobParams,
  credential: Credential,
): Promise<Caller> {
  return access === 'job'
    ? authoriseJobToken(reach, params.jobId ?? '', credential)
    : authoriseRunnerToken(reach, credential);
}

const runnerByToken: Lookup = {
  name: 'runner by token',
  text: 'select id, name, labels, type_names, seen_at from runner where token_hash = $1',
};

interface RunnerRow {
  readonly id: string;
  readonly name: string;
  readonly labels: string[];
  readonly type_names: string[] | null;
  readonly seen_at: Date;
}

async function authoriseRunnerToken(
  { db, lookups }: AuthoriseContext,
  credential: Credential,
): Promise<Caller> {
  const runner = await lookups.find<RunnerRow>(runnerByToken, [credential.hash]);
  if (!runner)
    throw new Failure('unauthenticated', 'This is not the token of a runner. Enrol the runner first.');
  const { id: runnerId, name, labels, type_names: typeNames, seen_at: seenAt } = runner;
  await recordSeen(db, { runnerId, seenAt, now: credential.now });
  return callerOf({ runnerId, name, labels, typeNames, fence: undefined }, credential);
}

/** A runner counts as online for a minute, so not every request must be recorded. */
const recordSeenMs = 10_000;

interface Seen {
  readonly runnerId: string;
  readonly seenAt: Date;
  readonly now: Date;
}

async function recordSeen(db: Context['db'], { runnerId, seenAt, now }: Seen): Promise<void> {
  if (Math.abs(now.getTime() - seenAt.getTime()) < recordSeenMs) return;
  await db.updateTable('runner').set({ seen_at: now }).where('id', '=', runnerId).execute();
}

const jobByToken: Lookup = {
  name: 'job by token',
  text: `select attempt, runner_id from job where id = $1 and token_hash = $2 and state = 'running'`,
};

async function authoriseJobToken(
  { lookups }: AuthoriseContext,
  jobId: string,
  credential: Credential,
): Promise<Caller> {
  const job = await lookups.find<{ attempt: number; runner_id: string | null }>(jobByToken, [
    jobId,
    credential.hash,
  ]);
  if (!job) throw new Failure('unauthenticated', 'This is not the token of a job that you hold.');
  const fence = { jobId, attempt: job.attempt };
  const runnerId = job.runner_id ?? '';
  return callerOf({ runnerId, name: '', labels: [], typeNames: null, fence }, credential);
}

interface Holder extends Pick<RunnerCaller, 'runnerId' | 'labels' | 'typeNames' | 'fence'> {
  readonly name: string;
}

function callerOf({ name, ...holder }: Holder, { hash, address, userAgent }: Credential): RunnerCaller {
  return {
    ...holder,
    userId: '',
    username: name,
    isAdmin: false,
    isSuperUser: false,
    tokenHash: hash,
    tokenKind: 'bearer',
    tokenSince: new Date(0),
    tokenSeen: new Date(0),
    tokenEnds: new Date(8.64e15),
    address,
    userAgent,
    permissions: permissionsOf.nobody,
    role: 'none',
  };
}

/** For the operations of endpoints with the access `runner`. */
export function runnerOf(caller: Caller): RunnerCaller {
  if (!('runnerId' in caller)) throw new Failure('unauthenticated', 'This is not the token of a runner.');
  return caller as RunnerCaller;
}

/** For the operations of endpoints with the access `job`. */
export function fenceOf(caller: Caller): Fence {
  const { fence } = runnerOf(caller);
  if (!fence) throw new Failure('unauthenticated', 'This is not the token of a job.');
  return fence;
}
