import { isDeepStrictEqual } from 'node:util';
import type { Job } from '@platen/contract/jobs';
import type { Permission } from '@platen/contract/permission';
import type { Schedule } from '@platen/contract/schedules';
import type { Deleted, Page } from '@platen/contract/schema';
import type { NewTask, Task, TaskChange, TaskListItem, TaskListQuery } from '@platen/contract/tasks';
import { isUnchanged } from '../../base/is-unchanged.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { changedMeanwhile, Failure, notFound } from '../../base/failure.ts';
import { may, maySee, requirePermission, type Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import {
  checkParameters,
  requireJobSpec,
  requireJobVersion,
  warningsOf,
  type JobParameters,
} from '../types/check-parameters.ts';
import { resolveReferences } from '../types/references.ts';
import { findLastJobs } from '../store.ts';
import { taskRemoved, taskWritten } from '../hooks.ts';
import { enqueue } from '../queue/enqueue.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import { replaceTaskReferences } from './references.ts';
import { mergeParameters } from './merge-parameters.ts';
import { forgetRuns } from './runs.ts';
import { checkSchedule, isDueNow, nextRun } from './schedule.ts';
import { deleteIdleTask, findTask, findTasks, hasTasks, insertTask, updateTask } from './store.ts';

interface TaskPath {
  readonly projectId: string;
  readonly taskId: string;
}

/**
 * Creates a task. An immediate task, or one whose time has passed, gets its job in the same transaction.
 * @throws Failure `conflict` if the project has as many tasks as it may have
 */
export async function createTask(
  { db, now, settings }: Context,
  caller: Caller,
  { projectId, body }: { projectId: string; body: NewTask },
): Promise<Task> {
  requireFamily(caller, body.jobType, 'create tasks of this type');
  const at = now();
  const schedule = checkSchedule(body.schedule ?? { type: 'immediate' }, at);
  requireJobVersion(body.jobType, body.jobVersion ?? '');
  const parameters = checkParameters(body.jobType, body.parameters);
  const made = await inTransaction(db, async (tx) => {
    await requireFewTasks(tx, projectId, settings.maxTasks);
    await resolveReferences({ db: tx, projectId, caller }, parameters);
    const fields = { ...defaults, ...body, schedule };
    const write = { id: newId(at), projectId, fields, by: caller.userId, now: at };
    return insertOrRun(tx, { ...write, parameters });
  });
  return withWarnings(made);
}

async function requireFewTasks(db: Db, projectId: string, max: number): Promise<void> {
  if (!(await hasTasks(db, projectId, max))) return;
  throw new Failure(
    'conflict',
    `The project has ${max.toLocaleString('en')} tasks, which is the limit. Delete tasks that are no longer needed.`,
  );
}

const defaults = {
  description: '',
  labels: [],
  tags: {},
  debugLevel: 0,
  priority: 0,
  jobVersion: '',
  properties: {},
};

type Write = Parameters<typeof insertTask>[1];

async function insertOrRun(
  tx: Db,
  { parameters, ...write }: Omit<Write, 'nextRunAt'> & { parameters: JobParameters },
): Promise<Task> {
  const { schedule } = write.fields;
  const due = nextRun(schedule, write.now);
  const isDue = isDueNow(schedule, due, write.now);
  const task = await insertTask(tx, { ...write, nextRunAt: isDue ? undefined : due });
  const { projectId, id: taskId, by, now } = write;
  await replaceTaskReferences(tx, { projectId, taskId }, parameters);
  await taskWritten.announce(tx, { projectId, taskId, by, now }, parameters);
  if (!isDue) return task;
  const job = await enqueue(tx, { task, warnings: parameters.warnings, by: write.by, now: write.now });
  return { ...task, lastJobId: job._id };
}

/** Lists tasks. Everyone in the project sees names and states; the content of others' tasks requires `getJob`. */
export async function listTasks(
  { db }: Context,
  caller: Caller,
  { projectId, query }: { projectId: string; query: TaskListQuery },
): Promise<Page<TaskListItem>> {
  const page = await findTasks(db, { projectId: [projectId] }, query);
  return { ...page, items: await withLastJobs(db, caller, page.items) };
}

export async function withLastJobs(db: Db, caller: Caller, tasks: readonly Task[]): Promise<TaskListItem[]> {
  const jobs = await findLastJobs(
    db,
    tasks.flatMap(({ lastJobId }) => lastJobId ?? []),
  );
  return tasks.map((task) => itemOf(task, jobs.get(task.lastJobId ?? ''), caller));
}

function itemOf(task: Task, job: Job | undefined, caller: Caller): TaskListItem {
  const lastJob = job && { lastJob: may(caller, 'getJob') ? withoutDetails(job) : outlineOf(job) };
  if (maySee(caller, 'getJob', task.createdBy)) return { ...task, ...lastJob };
  const { tags: _tags, parameters: _parameters, properties: _properties, ...rest } = task;
  return { ...rest, ...lastJob };
}

/** Small enough for lists of a thousand jobs. */
function withoutDetails({ parameters: _parameters, ...job }: Job): Job {
  return { ...job, warnings: job.warnings.map((warning) => ({ ...warning, examples: [] })) };
}

/** The state of a job, without messages that quote its data. */
function outlineOf(job: Job): Job {
  const { parameters: _parameters, errorMessage: _errorMessage, ...rest } = job;
  return { ...rest, warnings: [] };
}

export async function getTask({ db }: Context, { projectId, taskId }: TaskPath): Promise<Task> {
  const task = await findTask(db, projectId, taskId);
  if (!task) throw notFound('task');
  return withWarnings(task);
}

const withWarnings = (task: Task): Task => ({ ...task, warnings: warningsOf(task.jobType, task.parameters) });

interface Change extends TaskPath {
  readonly body: TaskChange;
  readonly overwriteParameters: boolean;
  readonly ifMatch: number | undefined;
}

/** Changes a task. A changed schedule takes effect at once; an unchanged one starts nothing. */
export async function changeTask(
  { db, now }: Context,
  caller: Caller,
  { projectId, taskId, body, overwriteParameters, ifMatch }: Change,
): Promise<Task> {
  const at = now();
  const after = await inTransaction(db, async (tx) => {
    const task = await findTask(tx, projectId, taskId, { lock: true });
    if (!task) throw notFound('task');
    requireFamily(caller, task.jobType, 'change tasks of this type');
    if (ifMatch !== undefined && ifMatch !== task.revision) throw changedMeanwhile();
    const fields = fieldsAfter(task, body, overwriteParameters);
    if (fields.jobType !== task.jobType) requireFamily(caller, fields.jobType, 'create tasks of this type');
    // a task keeps a version that was replaced since, until its type or version is changed
    if (fields.jobType !== task.jobType || fields.jobVersion !== task.jobVersion)
      requireJobVersion(fields.jobType, fields.jobVersion);
    const parameters = checkParameters(fields.jobType, fields.parameters);
    if (body.parameters || body.jobType !== undefined) {
      await resolveReferences({ db: tx, projectId, caller }, parameters);
      await replaceTaskReferences(tx, { projectId, taskId }, parameters);
      await taskWritten.announce(tx, { projectId, taskId, by: caller.userId, now: at }, parameters);
    }
    const schedule = body.schedule ? checkSchedule(body.schedule, at) : task.schedule;
    if (isUnchanged(task, { ...fields, schedule })) return task;
    const write = { id: taskId, projectId, fields: { ...fields, schedule }, by: caller.userId, now: at };
    if (isDeepStrictEqual(schedule, task.schedule)) {
      return updateTask(tx, { ...write, nextRunAt: task.nextRunAt ? new Date(task.nextRunAt) : undefined });
    }
    if (!isSamePattern(schedule, task.schedule)) await forgetRuns(tx, taskId);
    const due = nextRun(schedule, at);
    const isDue = isDueNow(schedule, due, at);
    const changed = await updateTask(tx, { ...write, nextRunAt: isDue ? undefined : due });
    if (!isDue) return changed;
    const job = await enqueue(tx, {
      task: changed,
      warnings: parameters.warnings,
      by: caller.userId,
      now: at,
    });
    return { ...changed, lastJobId: job._id };
  });
  return withWarnings(after);
}

function isSamePattern(one: Schedule, other: Schedule): boolean {
  return one.type === other.type && one.cron === other.cron && one.timezone === other.timezone;
}

function fieldsAfter(task: Task, body: TaskChange, overwrite: boolean): Task {
  const given = Object.fromEntries(
    Object.keys({ ...defaults, name: '', jobType: '', timeoutSeconds: 0 })
      .filter((key) => body[key as keyof TaskChange] !== undefined)
      .map((key) => [key, body[key as keyof TaskChange]]),
  );
  const { parameters } = body;
  const merged = parameters && (overwrite ? parameters : mergeParameters(task.parameters, parameters));
  return { ...task, ...given, ...(merged && { parameters: merged }) };
}

/** Moves a task and its jobs to the trash. @throws Failure `conflict` while one of them is running */
export async function removeTask({ db, now }: Context, caller: Caller, path: TaskPath): Promise<Deleted> {
  const { projectId, taskId } = path;
  return inTransaction(db, async (tx) => {
    const task = await findTask(tx, projectId, taskId, { lock: true });
    if (!task) throw notFound('task');
    requireFamily(caller, task.jobType, 'delete tasks of this type');
    const { name, createdBy: ownerId, jobType } = task;
    const what = { type: 'task', projectId, resourceId: taskId, name, ownerId, jobType } as const;
    const change = { by: caller.userId, now: now() };
    const entry = { ...what, ...change, from: caller };
    const numberOfDeletedItems = await moveToTrash(tx, entry, () => deleteIdleTask(tx, projectId, taskId));
    if (numberOfDeletedItems === 0)
      throw new Failure('conflict', 'A job of this task is running. Cancel it first.');
    await taskRemoved.announce(tx, { projectId, taskId, ...change });
    return { numberOfDeletedItems };
  });
}

/** Requires the permission of the job type, also for the caller's own tasks. */
export function requireFamily(caller: Caller, jobType: string, toDo: string): void {
  requirePermission(caller, requireJobSpec(jobType).permission as Permission, toDo);
}
