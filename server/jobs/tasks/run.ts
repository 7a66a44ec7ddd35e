import type { Job } from '@platen/contract/jobs';
import type { RunChange } from '@platen/contract/task-runs';
import type { Task } from '@platen/contract/tasks';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { checkParameters } from '../types/check-parameters.ts';
import { resolveReferences } from '../types/references.ts';
import { findJob } from '../store.ts';
import { enqueue } from '../queue/enqueue.ts';
import { mergeParameters } from './merge-parameters.ts';
import { requireFamily } from './operations.ts';
import { findTask } from './store.ts';

interface Run {
  readonly projectId: string;
  readonly body: RunChange;
}

/** Runs a task now, whatever its schedule, optionally with changed parameters. */
export async function runTask(
  { db, now }: Context,
  caller: Caller,
  { projectId, taskId, body }: Run & { readonly taskId: string },
): Promise<Job> {
  return inTransaction(db, async (tx) => {
    const task = await findTask(tx, projectId, taskId, { lock: true });
    if (!task) throw notFound('task');
    return run(tx, caller, { task: changed(task, body), now: now() });
  });
}

/**
 * Creates another job of the same task with the parameters of this job, which may differ from those of the task now.
 * @throws Failure `conflict` for a job without a task
 */
export async function runJobAgain(
  { db, now }: Context,
  caller: Caller,
  { projectId, jobId, body }: Run & { readonly jobId: string },
): Promise<Job> {
  return inTransaction(db, async (tx) => {
    const job = await findJob(tx, projectId, jobId);
    if (!job) throw notFound('job');
    if (job.taskId === undefined)
      throw new Failure('conflict', 'An inspection has no task. Inspect the file again.');
    const task = await findTask(tx, projectId, job.taskId, { lock: true });
    if (!task)
      throw new Failure('conflict', 'The task of this job was deleted. Restore it, or create a new one.');
    return run(tx, caller, { task: changed(asOf(task, job), body), repeats: jobId, now: now() });
  });
}

/** The task as it was when the job was created. */
function asOf({ timeoutSeconds: _now, ...task }: Task, job: Job): Task {
  const { jobType, jobVersion, labels, priority, debugLevel, timeoutSeconds, parameters = {} } = job;
  const then = { jobType, jobVersion, labels, priority, debugLevel, parameters };
  return { ...task, ...then, ...(timeoutSeconds !== undefined && { timeoutSeconds }) };
}

function changed(task: Task, { parameters, ...rest }: RunChange): Task {
  return {
    ...task,
    ...rest,
    parameters: parameters ? mergeParameters(task.parameters, parameters) : task.parameters,
  };
}

interface RunRequest {
  readonly task: Task;
  readonly repeats?: string;
  readonly now: Date;
}

async function run(tx: Db, caller: Caller, wanted: RunRequest): Promise<Job> {
  const { task } = wanted;
  requireFamily(caller, task.jobType, 'run tasks of this type');
  const parameters = checkParameters(task.jobType, task.parameters);
  await resolveReferences({ db: tx, projectId: task.projectId, caller }, parameters);
  return enqueue(tx, { ...wanted, warnings: parameters.warnings, by: caller.userId });
}
