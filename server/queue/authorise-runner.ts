import type { Db } from '../database/database.ts';
import { Failure } from '../failure.ts';
import type { Credential } from '../iam/authorise.ts';
import type { Caller } from '../iam/caller.ts';
import { permissionsOf } from '../iam/roles.ts';
import type { Fence } from './fence.ts';

/** A runner, or the holder of one job. It is no user: nothing of a project is open to it. */
export interface RunnerCaller extends Caller {
  readonly runnerId: string;
  readonly labels: readonly string[];
  /** Of a job token: the attempt that it is good for. */
  readonly fence: Fence | undefined;
}

/**
 * A runner's own token opens the queue; a job token opens one attempt of one job, for as long as that attempt runs.
 * @throws Failure `unauthenticated`, also when the job has gone on to another attempt
 */
export async function authoriseRunner(
  db: Db,
  access: 'runner' | 'job',
  params: Readonly<Record<string, string>>,
  credential: Credential,
): Promise<Caller> {
  if (access === 'job') return ofJob(db, params['jobId'] ?? '', credential);
  const runner = await db
    .updateTable('runner')
    .set({ seen_at: credential.now })
    .where('token_hash', '=', credential.hash)
    .returning(['id', 'name', 'labels'])
    .executeTakeFirst();
  if (!runner) throw new Failure('unauthenticated', 'This is no token of a runner: enrol first.');
  const { id: runnerId, name, labels } = runner;
  return callerOf({ runnerId, name, labels, fence: undefined }, credential);
}

async function ofJob(db: Db, jobId: string, credential: Credential): Promise<Caller> {
  const job = await db
    .selectFrom('job')
    .select(['attempt', 'runner_id'])
    .where('id', '=', jobId)
    .where('token_hash', '=', credential.hash)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (!job) throw new Failure('unauthenticated', 'This is no token of a job that you hold.');
  const fence = { jobId, attempt: job.attempt };
  return callerOf({ runnerId: job.runner_id ?? '', name: '', labels: [], fence }, credential);
}

interface Holder extends Pick<RunnerCaller, 'runnerId' | 'labels' | 'fence'> {
  readonly name: string;
}

function callerOf({ name, ...holder }: Holder, { hash, address }: Credential): RunnerCaller {
  return {
    ...holder,
    userId: '',
    username: name,
    isAdmin: false,
    isSuperUser: false,
    tokenHash: hash,
    tokenExpires: new Date(8.64e15),
    address,
    permissions: permissionsOf.nobody,
    role: 'none',
  };
}

/** For the operations of endpoints with the access `runner`. */
export function runnerOf(caller: Caller): RunnerCaller {
  if (!('runnerId' in caller)) throw new Failure('unauthenticated', 'This is no token of a runner.');
  return caller as RunnerCaller;
}

/** For the operations of endpoints with the access `job`. */
export function fenceOf(caller: Caller): Fence {
  const { fence } = runnerOf(caller);
  if (!fence) throw new Failure('unauthenticated', 'This is no token of a job.');
  return fence;
}
