import type { Job, JobListQuery } from '@platen/contract/jobs';
import type { Deleted, Page } from '@platen/contract/schema';
import type { Context } from '../base/context.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { notify } from '../base/database/notifications.ts';
import { Failure, notFound } from '../base/failure.ts';
import type { Caller } from '../base/caller.ts';
import { requestAbort } from './queue/abort.ts';
import { appendServiceLog } from './queue/progress.ts';
import { addWaits } from './queue/waits-for.ts';
import { findJobs } from './list.ts';
import { deleteEndedJob, findJob } from './store.ts';

export async function listJobs(context: Context, projectId: string, query: JobListQuery): Promise<Page<Job>> {
  const page = await findJobs(context.db, projectId, query);
  return { ...page, items: await addWaits(context, projectId, page.items) };
}

export async function getJob(context: Context, projectId: string, jobId: string): Promise<Job> {
  const job = await findJob(context.db, projectId, jobId);
  if (!job) throw notFound('job');
  const [waiting] = await addWaits(context, projectId, [job]);
  return waiting!;
}

export async function removeJob({ db }: Context, projectId: string, jobId: string): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const numberOfDeletedItems = await deleteEndedJob(tx, projectId, jobId);
    if (numberOfDeletedItems > 0) return { numberOfDeletedItems };
    const job = await findJob(tx, projectId, jobId);
    if (!job) throw notFound('job');
    throw new Failure('conflict', `The job is ${job.state}. Cancel it first.`);
  });
}

/**
 * Ends a queued job at once and notifies the runner of a running one. Cancelling twice is allowed; an ended job is a
 * conflict.
 */
export async function abortJob(
  { db, now }: Context,
  caller: Caller,
  { projectId, jobId }: { projectId: string; jobId: string },
): Promise<Job> {
  return inTransaction(db, async (tx) => {
    const job = await requestAbort(tx, { projectId, jobId, by: caller.userId, now: now() });
    if (job) {
      const { username } = caller;
      const message = `${username} cancelled the job.`;
      await appendServiceLog(tx, { jobId, level: 'info', message, now: now() });
      await notify(tx, job.state === 'running' ? 'jobAborted' : 'jobEnded', jobId);
      return job;
    }
    const ended = await findJob(tx, projectId, jobId);
    if (!ended) throw notFound('job');
    if (ended.state === 'aborted') return ended;
    if (ended.state === 'running') {
      await notify(tx, 'jobAborted', jobId); // again, in case the first notification was missed
      return ended;
    }
    throw new Failure('conflict', `The job has already ended: ${ended.state}.`);
  });
}
