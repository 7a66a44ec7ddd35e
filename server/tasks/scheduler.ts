import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '@platen/contract/tasks';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../database/database.ts';
import { Failure } from '../failure.ts';
import { checkParameters } from '../job-types/check-parameters.ts';
import { enqueue } from '../queue/enqueue.ts';
import { note } from '../queue/note.ts';
import { releaseLost } from '../queue/release-lost.ts';
import { nextRun } from './schedule.ts';
import { findNextDue, findUnfinishedJob, lockDueTask, setNextRun } from './store.ts';

/** Tasks written meanwhile are seen after this time; a due time that is known is met to the millisecond. */
const lookEveryMs = 500;
const afterFailureMs = 2000;

/**
 * Starts the jobs of due tasks, and requeues jobs whose runners are lost, until `stop` is called. Any number of
 * replicas may do so: each run is started by one of them.
 */
export function startScheduler(context: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const waitMs = await turn(context);
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  };
  const done = loop();
  return {
    stop() {
      stopping.abort();
      return done;
    },
  };
}

/** Does what is due and tells how long to wait for the next. */
async function turn(context: Context): Promise<number> {
  try {
    await releaseLost(context);
    await runDueTasks(context);
    const next = await findNextDue(context.db);
    const untilMs = next ? next.getTime() - context.now().getTime() : lookEveryMs;
    return Math.max(1, Math.min(untilMs, lookEveryMs));
  } catch (error) {
    context.log.warn({ err: error }, 'the scheduler could not look for due tasks');
    return afterFailureMs;
  }
}

/** Starts a job for every task that is due; returns how many tasks it was. What was missed while nothing ran is made up for once. */
export async function runDueTasks(context: Context): Promise<number> {
  for (let count = 0; ; count++) {
    if (!(await runNextDueTask(context))) return count;
  }
}

function runNextDueTask(context: Context): Promise<boolean> {
  const { db, now } = context;
  return inTransaction(db, async (tx) => {
    const at = now();
    const task = await lockDueTask(tx, at);
    if (!task) return false;
    await setNextRun(tx, task._id, task.schedule.type === 'cron' ? nextRun(task.schedule, at) : undefined);
    const unfinished = await findUnfinishedJob(tx, task._id);
    if (unfinished && task.schedule.type === 'cron') await skip(context, tx, { task, unfinished, at });
    else await start(context, tx, task, at);
    return true;
  });
}

interface Skipped {
  readonly task: Task;
  readonly unfinished: { readonly id: string; readonly state: string };
  readonly at: Date;
}

/** The log of the job that is in the way tells of the run that was left out. */
async function skip({ log }: Context, tx: Db, { task, unfinished, at }: Skipped): Promise<void> {
  const { id: jobId, state } = unfinished;
  const message = `The run of ${task.nextRunAt} was skipped, because this job was still ${state}.`;
  await note(tx, { jobId, level: 'warning', message, now: at });
  log.warn({ taskId: task._id, jobId, due: task.nextRunAt }, 'a run of a cron task was skipped');
}

async function start({ log }: Context, tx: Db, task: Task, at: Date): Promise<void> {
  await enqueue(tx, { task, warnings: warningsOf(task), by: task.createdBy, now: at });
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
