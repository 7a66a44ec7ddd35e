import { setTimeout as sleep } from 'node:timers/promises';
import type { Permission } from '@platen/contract/permission';
import type { Task } from '@platen/contract/tasks';
import { findTaskSpec } from '@platen/processing/catalog';
import { backgroundFailuresOf } from '../../base/background-failures.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { hasCurrentPermission } from '../../identity/iam/current-permissions.ts';
import { checkParameters } from '../types/check-parameters.ts';
import { endJob } from '../queue/end.ts';
import { enqueue } from '../queue/enqueue.ts';
import { runMaintenance } from '../queue/maintenance.ts';
import { appendServiceLog, appendServiceLogIfUnlocked } from '../queue/progress.ts';
import { repairNextRuns } from './repair-next-runs.ts';
import { keepRun, wasRun } from './runs.ts';
import { nextRun } from './schedule.ts';
import {
  countHeld,
  findLastFailure,
  findNextDue,
  findUnfinishedJob,
  lockDueTask,
  postponeDueTask,
  setNextRun,
} from './store.ts';

/** New tasks are noticed after this time; known due times are met to the millisecond. */
const lookEveryMs = 500;
const afterFailureMs = 2000;
/** Time servers set clocks back slightly now and then. */
const backMs = 1000;
/** Another replica may have had a wrong clock. */
const repairEveryMs = 600_000;
/** Maximum number of held runs of a task. */
const maxHeld = 100;
/** Maximum number of tasks per look. */
const maxTasks = 100;
/** Delay before due tasks that another transaction holds are tried again. */
const lockedMs = 100;
/** Delay before a task that caused an error is tried again. */
const retryAfterMs = 60_000;
const maintenanceFailure = 'the maintenance of the queue failed';
const scheduleFailure = 'the scheduler could not read due tasks';
/** Error code of a refused run. */
const notAllowed = 'notAllowed';

/**
 * Starts jobs of due tasks and maintains the queue in two independent loops until `stop` is called. Any number of
 * replicas may do so; each run is started by one of them.
 */
export function startScheduler(context: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const repair = nextRunRepairer(context);
  const turns = [() => runDue(context, repair, signal), () => runMaintenanceStep(context)];
  const done = turns.map(async (takeTurn) => {
    while (!signal.aborted) {
      const waitMs = await takeTurn();
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(done);
    },
  };
}

/** Returns the number of milliseconds until the next call. */
async function runMaintenanceStep(context: Context): Promise<number> {
  const failures = backgroundFailuresOf(context.log);
  try {
    await runMaintenance(context);
    failures.succeeded(maintenanceFailure);
    return lookEveryMs;
  } catch (error) {
    failures.report(maintenanceFailure, error);
    return afterFailureMs;
  }
}

/** Repairs next runs at the start, whenever the clock was put back, and at intervals. */
function nextRunRepairer(context: Context): () => Promise<void> {
  let last: Date | undefined;
  let repairedMs = 0;
  return async () => {
    const at = context.now();
    const isBack = last === undefined || at.getTime() < last.getTime() - backMs;
    last = at;
    if (!isBack && Math.abs(at.getTime() - repairedMs) < repairEveryMs) return;
    await repairNextRuns(context);
    repairedMs = at.getTime();
  };
}

/** Runs due tasks and returns the number of milliseconds until the next look. */
async function runDue(context: Context, repair: () => Promise<void>, signal: AbortSignal): Promise<number> {
  const failures = backgroundFailuresOf(context.log);
  try {
    await repair();
    const at = context.now();
    const due = await findNextDue(context.db);
    const count = due && due <= at ? await runDueTasks(context, signal) : 0;
    const next = count > 0 ? await findNextDue(context.db) : due;
    failures.succeeded(scheduleFailure);
    if (next && next <= at && count === 0) return lockedMs;
    const untilMs = next ? next.getTime() - context.now().getTime() : lookEveryMs;
    return Math.max(1, Math.min(untilMs, lookEveryMs));
  } catch (error) {
    failures.report(scheduleFailure, error);
    return afterFailureMs;
  }
}

/**
 * Runs up to a hundred due tasks, the longest overdue first. Runs that were missed while the service was down are made
 * up for once. @returns the number of tasks
 */
export async function runDueTasks(context: Context, signal?: AbortSignal): Promise<number> {
  let count = 0;
  while (count < maxTasks && !signal?.aborted && (await runNextDueTask(context))) count++;
  return count;
}

/** A task that causes an error is postponed, so that it does not block others. */
async function runNextDueTask(context: Context): Promise<boolean> {
  const { db, now, log } = context;
  const at = now();
  let task = undefined as Task | undefined;
  try {
    return await inTransaction(db, async (tx) => {
      task = await lockDueTask(tx, at);
      if (task) await runTask(context, tx, { task, at });
      return task !== undefined;
    });
  } catch (error) {
    if (!task) throw error;
    await postponeDueTask(db, task._id, { now: at, until: new Date(at.getTime() + retryAfterMs) });
    log.warn({ err: error, taskId: task._id, due: task.nextRunAt }, 'a due task could not be started');
    return true;
  }
}

interface Due {
  readonly task: Task;
  readonly at: Date;
}

async function runTask(context: Context, tx: Db, { task, at }: Due): Promise<void> {
  const { _id: taskId, schedule } = task;
  const isCron = schedule.type === 'cron';
  await setNextRun(tx, taskId, isCron ? nextRun(schedule, at) : undefined);
  if (!isCron) return runAllowed(context, tx, { task, at });
  const due = new Date(task.nextRunAt!);
  if (await wasRun(tx, taskId, due)) return;
  const unfinished = await findUnfinishedJob(tx, taskId);
  if (unfinished && schedule.overlap !== 'queue') return skip(context, tx, { task, unfinished, at });
  if (unfinished && (await countHeld(tx, taskId, maxHeld)) >= maxHeld)
    return skip(context, tx, { task, unfinished, at, others: maxHeld });
  await keepRun(tx, task, due);
  return runAllowed(context, tx, { task, at, isHeld: unfinished !== undefined });
}

async function runAllowed(context: Context, tx: Db, run: Run): Promise<void> {
  if (await isAllowed(tx, run.task)) return start(context, tx, run);
  return refuse(context, tx, run);
}

interface Run extends Due {
  /** The job waits for the active job of the task. */
  readonly isHeld?: boolean;
}

interface Skipped extends Due {
  readonly unfinished: { readonly id: string; readonly state: string };
  /** Number of held runs of the task. */
  readonly others?: number;
}

/** Logs the skipped run in the active job, unless that job is just ending. */
async function skip({ log }: Context, tx: Db, { task, unfinished, at, others }: Skipped): Promise<void> {
  const { id: jobId, state } = unfinished;
  const waiting = others === undefined ? '' : `, and ${others} others were waiting for it`;
  const message = `The run of ${task.nextRunAt} was skipped, because this job was still ${state}${waiting}.`;
  await appendServiceLogIfUnlocked(tx, { jobId, level: 'warning', message, now: at });
  log.warn({ taskId: task._id, jobId, due: task.nextRunAt }, 'a run of a cron task was skipped');
}

/** Checks the permissions of the user who last changed the task at each run, because a schedule may outlive them. */
function isAllowed(tx: Db, { jobType, projectId, updatedBy }: Task): Promise<boolean> {
  // a job type that no longer exists makes the job fail when it starts
  const permission = (findTaskSpec(jobType)?.permission ?? 'getProject') as Permission;
  return hasCurrentPermission(tx, { userId: updatedBy, projectId }, permission);
}

/** The first refused run becomes a failed job; later ones are added to its log. */
async function refuse({ log }: Context, tx: Db, { task, at }: Due): Promise<void> {
  const why =
    'whoever changed this task last is no longer active, or may no longer run jobs of its type in this project';
  const who = { taskId: task._id, updatedBy: task.updatedBy, due: task.nextRunAt };
  log.warn(who, 'a run of a task was refused: the user who last changed it may no longer run it');
  const lastFailure = await findLastFailure(tx, task._id, notAllowed);
  const jobId = lastFailure ?? (await enqueue(tx, { task, warnings: [], by: task.updatedBy, now: at }))._id;
  const errorMessage = `The run of ${task.nextRunAt} was refused, because ${why}. Someone with permission to run such jobs must open and save the task.`;
  const line = { jobId, level: 'error', message: errorMessage, now: at } as const;
  if (lastFailure !== undefined) return void (await appendServiceLogIfUnlocked(tx, line));
  await appendServiceLog(tx, line);
  await endJob(tx, {
    jobId,
    state: 'failed',
    warnings: [],
    errorCode: notAllowed,
    errorMessage,
    now: at,
  });
}

/** Creates the job on behalf of the user whose permissions were checked. */
async function start({ log }: Context, tx: Db, { task, at, isHeld = false }: Run): Promise<void> {
  await enqueue(tx, { task, warnings: warningsOf(task), by: task.updatedBy, now: at, isHeld });
  log.info({ taskId: task._id, due: task.nextRunAt }, 'a scheduled task has started');
}

/** Invalid parameters make the job fail when it starts, where users can see the reason. */
function warningsOf(task: Task) {
  try {
    return checkParameters(task.jobType, task.parameters).warnings;
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
