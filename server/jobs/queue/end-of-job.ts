import type { Job } from '@platen/contract/jobs';
import type { Context } from '../../base/context.ts';
import { findJob } from '../store.ts';
import { untilNotified } from '../../base/database/until-notified.ts';

interface Waiting {
  readonly projectId: string;
  readonly jobId: string;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** The job when it has ended, or as it is when the time is over; undefined when it is gone. */
export async function endOfJob(
  { db, notifications }: Context,
  { projectId, jobId, ms, signal }: Waiting,
): Promise<Job | undefined> {
  const waiting = untilNotified(notifications, 'jobEnded', { ms, signal });
  try {
    for (;;) {
      // before looking, so that no end in between is missed
      const notified = waiting.next((payload) => payload === '' || payload === jobId);
      const job = await findJob(db, projectId, jobId);
      if (!job || job.endTime !== undefined || !(await notified)) return job;
    }
  } finally {
    waiting.end();
  }
}
