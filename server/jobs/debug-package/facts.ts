import { findJobSpec } from '@platen/processing/catalog';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { findOperations } from '../job-operations/store.ts';
import { inputsOfJob } from '../types/job-inputs.ts';
import { findInput, resolveInputs } from '../types/references.ts';
import type { InputSource } from '../types/check-parameters.ts';
import { fromRow, type JobRow } from '../store.ts';
import { findFilesAfter } from '../../files/objects/store.ts';
import { findRunner } from '../runners/store.ts';
import { findTask } from '../tasks/store.ts';
import { version } from '../../base/version.ts';

const maxMembers = 10_000;
const operationsAtOnce = 1000;

/** The known facts about a job, by file name in the package; undefined if there are none. */
export async function factsOf(context: Context, job: JobRow): Promise<Readonly<Record<string, unknown>>> {
  const { db, now } = context;
  const { project_id: projectId, task_id: taskId, parameters } = job;
  return {
    job: fromRow(job),
    parameters,
    task: taskId === null ? undefined : await findTask(db, projectId, taskId),
    operations: await operationsOf(context, job.id),
    inputs: { asOf: now().toISOString(), items: await inputsNow(context, job) },
    runner: await runnerOf(context, job),
    versions: {
      service: version,
      node: process.version,
      jobType: { name: job.job_type, ofJob: job.job_version, now: findJobSpec(job.job_type)?.version },
    },
  };
}

async function operationsOf({ db }: Context, jobId: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let page = 0; ; page++) {
    const items = await findOperations(db, jobId, { limit: operationsAtOnce, page });
    all.push(...items);
    if (items.length < operationsAtOnce) return all;
  }
}

/** The runner of the last attempt, without its other job, which may belong to another project. */
async function runnerOf({ db, now }: Context, { runner_id: runnerId }: JobRow): Promise<unknown> {
  const runner = runnerId === null ? undefined : await findRunner(db, runnerId, now());
  if (!runner) return undefined;
  const { name, version: runnerVersion, labels, isEmbedded, typeNames, capabilities } = runner;
  return { name, version: runnerVersion, labels, isEmbedded, typeNames, capabilities };
}

/** Inputs that no longer exist are reported one by one. */
async function inputsNow(context: Context, job: JobRow): Promise<unknown[]> {
  try {
    const found: unknown[] = [];
    for (const source of inputsOfJob(job)) found.push(await inputNow(context, job, source));
    return found;
  } catch (error) {
    return [problemOf(error)];
  }
}

async function inputNow(
  { db }: Context,
  { project_id: projectId }: JobRow,
  source: InputSource,
): Promise<unknown> {
  try {
    const [resolved] = await resolveInputs({ db, projectId }, [source]);
    const { kind, name, size, sha256 } = resolved!;
    if (kind !== 'folder') return { kind, name, size, sha256 };
    const { bucketId, key } = await findInput({ db, projectId }, source);
    const files = await findFilesAfter(db, bucketId, { prefix: key, after: '', limit: maxMembers });
    const members = files.map((file) => ({
      name: file.key.slice(key.length),
      size: file.size,
      sha256: file.sha256,
    }));
    return { kind, name, size, members, isComplete: members.length < maxMembers };
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): { problem: string } {
  if (!(error instanceof Failure)) throw error;
  return { problem: error.message };
}
