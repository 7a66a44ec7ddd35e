import { setTimeout as sleep } from 'node:timers/promises';
import type { Permission } from '@platen/contract/permission';
import type { Task } from '@platen/contract/tasks';
import { findTaskSpec } from '@platen/processing/catalog';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { mayNow } from '../../identity/iam/may-now.ts';
import { checkParameters } from '../types/check-parameters.ts';
import { completeAttempt } from '../queue/end.ts';
import { enqueue } from '../queue/enqueue.ts';
import { runMaintenance } from '../queue/maintenance.ts';
import { appendServiceLog, appendServiceLogIfUnlocked } from '../queue/progress.ts';
import { mendNextRuns } from './mend-next-runs.ts';
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

/** Tasks written meanwhile are seen after this time; a due time that is known is met to the millisecond. */
const lookEveryMs = 500;
const afterFailureMs = 2000;
/** A clock that is set by a time server goes back a little now and then. */
const backMs = 1000;
/** Another replica may have been where the clock was wrong. */
const mendEveryMs = 600_000;
/** So many runs of a task wait for one that takes long. */
const mostHeld = 100;
/** So many are dealt with in one go. */
const mostAtOnce = 100;
/** What is due and somebody else holds is looked at again after this time. */
const lockedMs = 100;
/** A task that could not be dealt with is tried again after this time. */
const retryAfterMs = 60_000;
/** The code of a run that was refused. */
const notAllowed = 'notAllowed';

/**
 * Starts the jobs of due tasks, and looks after the queue, until `stop` is called: neither waits for the other. Any number
 * of replicas may do so: each run is started by one of them.
 */
export function startScheduler(context: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const mend = mender(context);
  const turns = [() => turn(context, mend, signal), () => lookAfter(context)];
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

/** Tells how long to wait for the next time. */
async function lookAfter(context: Context): Promise<number> {
  try {
    await runMaintenance(context);
    return lookEveryMs;
  } catch (error) {
    context.log.warn({ err: error }, 'the scheduler could not look after the queue');
    return afterFailureMs;
  }
}

/** At the start, whenever the clock was put back, and now and then. */
function mender(context: Context): () => Promise<void> {
  let last: Date | undefined;
  let mendedMs = 0;
  return async () => {
    const at = context.now();
    const isBack = last === undefined || at.getTime() < last.getTime() - backMs;
    last = at;
    if (!isBack && Math.abs(at.getTime() - mendedMs) < mendEveryMs) return;
    await mendNextRuns(context);
    mendedMs = at.getTime();
  };
}

/** Does what is due and tells how long to wait for the next. */
async function turn(context: Context, mend: () => Promise<void>, signal: AbortSignal): Promise<number> {
  try {
    await mend();
    const at = context.now();
    const count = await runDueTasks(context, signal);
    const next = await findNextDue(context.db);
    if (next && next <= at && count === 0) return lockedMs;
    const untilMs = next ? next.getTime() - context.now().getTime() : lookEveryMs;
    return Math.max(1, Math.min(untilMs, lookEveryMs));
  } catch (error) {
    context.log.warn({ err: error }, 'the scheduler could not look for due tasks');
    return afterFailureMs;
  }
}

/**
 * Deals with the tasks that are due, those first that have been for longest, and not with more than a hundred. What was
 * missed while nothing ran is made up for once. @returns how many it was
 */
export async function runDueTasks(context: Context, signal?: AbortSignal): Promise<number> {
  let count = 0;
  while (count < mostAtOnce && !signal?.aborted && (await runNextDueTask(context))) count++;
  return count;
}

/** A task that cannot be dealt with is put off, so that it holds up none of the others. */
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
  if (unfinished && (await countHeld(tx, taskId, mostHeld)) >= mostHeld)
    return skip(context, tx, { task, unfinished, at, others: mostHeld });
  await keepRun(tx, task, due);
  return runAllowed(context, tx, { task, at, isHeld: unfinished !== undefined });
}

async function runAllowed(context: Context, tx: Db, run: Run): Promise<void> {
  if (await isAllowed(tx, run.task)) return start(context, tx, run);
  return refuse(context, tx, run);
}

interface Run extends Due {
  /** Another job of the task comes first. */
  readonly isHeld?: boolean;
}

interface Skipped extends Due {
  readonly unfinished: { readonly id: string; readonly state: string };
  /** How many runs wait for its end. */
  readonly others?: number;
}

/** The log of the job that is in the way tells of the run that was left out, unless that is just coming to its end. */
async function skip({ log }: Context, tx: Db, { task, unfinished, at, others }: Skipped): Promise<void> {
  const { id: jobId, state } = unfinished;
  const waiting = others === undefined ? '' : `, and ${others} others were waiting for it`;
  const message = `The run of ${task.nextRunAt} was skipped, because this job was still ${state}${waiting}.`;
  await appendServiceLogIfUnlocked(tx, { jobId, level: 'warning', message, now: at });
  log.warn({ taskId: task._id, jobId, due: task.nextRunAt }, 'a run of a cron task was skipped');
}

/**
 * A schedule outlives the rights of whoever set it, so they are looked up at each run: those of who changed the task
 * last, as they said what runs.
 */
function isAllowed(tx: Db, { jobType, projectId, updatedBy }: Task): Promise<boolean> {
  // a job type that is no longer known makes the job fail when it starts
  const permission = (findTaskSpec(jobType)?.permission ?? 'getProject') as Permission;
  return mayNow(tx, { userId: updatedBy, projectId }, permission);
}

/** A failed job tells of the first run that was refused; its log tells of those that follow. */
async function refuse({ log }: Context, tx: Db, { task, at }: Due): Promise<void> {
  const why =
    'whoever changed this task last is no longer active, or may no longer run jobs of its type in this project';
  const who = { taskId: task._id, updatedBy: task.updatedBy, due: task.nextRunAt };
  log.warn(who, 'a run of a task was refused: who changed it last may no longer run it');
  const told = await findLastFailure(tx, task._id, notAllowed);
  const jobId = told ?? (await enqueue(tx, { task, warnings: [], by: task.updatedBy, now: at }))._id;
  const errorMessage = `The run of ${task.nextRunAt} was refused, because ${why}. To let it run again, somebody who may run such jobs has to save the task.`;
  const line = { jobId, level: 'error', message: errorMessage, now: at } as const;
  if (told !== undefined) return void (await appendServiceLogIfUnlocked(tx, line));
  await appendServiceLog(tx, line);
  await completeAttempt(tx, {
    jobId,
    state: 'failed',
    warnings: [],
    errorCode: notAllowed,
    errorMessage,
    now: at,
  });
}

/** In the name of whoever set what runs: it is their rights that were looked at. */
async function start({ log }: Context, tx: Db, { task, at, isHeld = false }: Run): Promise<void> {
  await enqueue(tx, { task, warnings: warningsOf(task), by: task.updatedBy, now: at, isHeld });
  log.info({ taskId: task._id, due: task.nextRunAt }, 'a scheduled task has started');
}

/** Parameters that are no longer valid make the job fail when it starts, where everyone can see why. */
function warningsOf(task: Task) {
  try {
    return checkParameters(task.jobType, task.parameters).warnings;
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
