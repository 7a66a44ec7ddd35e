import { createHash } from 'node:crypto';
import type { Inspection, PendingInspection } from '@platen/contract/inspect';
import type { Job } from '@platen/contract/jobs';
import { catalog } from '@platen/processing/catalog';
import type { BucketPath } from '../buckets/operations.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../database/database.ts';
import { Failure, notFound } from '../failure.ts';
import type { Caller } from '../iam/caller.ts';
import { newId } from '../ids.ts';
import { findJob } from '../jobs/store.ts';
import { getFile } from '../objects/operations.ts';
import type { ObjectFile } from '../objects/store.ts';
import { enqueueInspection } from '../queue/enqueue-inspection.ts';
import { untilNotified } from '../queue/until-notified.ts';
import { answerOf } from './answer-of.ts';
import { filesOf } from './files-of.ts';
import { deleteOldInspections, findInspection, hasRunner } from './store.ts';

const inspect = catalog['Inspect']!;

/** So long the reports of unchanged files are kept. */
const keptMs = 7 * 24 * 3_600_000;
/** Runners ask for jobs at least every 25 s. */
const runnerSilenceMs = 60_000;

interface Request extends BucketPath {
  readonly key: string;
  readonly waitSeconds: number;
  /** Aborts when there is nobody left to answer. */
  readonly signal: AbortSignal;
}

/**
 * Asks a runner what a file is, and waits for the answer; a runner, as the bytes of users are parsed only in the closed
 * process of a job.
 * @throws Failure `not_found` for the file, `conflict` where there is no runner
 */
export async function inspectFile(
  context: Context,
  caller: Caller,
  { projectId, dataBucketId, key, waitSeconds, signal }: Request,
): Promise<Inspection | PendingInspection> {
  const file = await getFile(context, dataBucketId, key);
  const files = await filesOf(context.db, file);
  const jobId = await jobFor(context, { projectId, files, by: caller.userId });
  const job = await endOf(context, { projectId, jobId, ms: waitSeconds * 1000, signal });
  if (job.state === 'queued' || job.state === 'running') return { key: file.key, jobId, state: job.state };
  return answerOf(job, files);
}

interface Subject {
  readonly projectId: string;
  /** The file to inspect, and what belongs to it. */
  readonly files: readonly ObjectFile[];
  readonly by: string;
}

/** The job that has the answer, or will have it; a new one only for what was not inspected before. */
async function jobFor({ db, now }: Context, { projectId, files, by }: Subject): Promise<string> {
  const reportOf = fingerprintOf(files);
  const known = await findInspection(db, projectId, reportOf);
  if (known && known.state !== 'queued') return known._id;
  const at = now();
  if (!(await hasRunner(db, { since: new Date(at.getTime() - runnerSilenceMs), now: at })))
    throw new Failure('conflict', 'No runner is there to look into the file: start one, then ask again.');
  if (known) return known._id;
  const id = newId(at);
  const input = files.map(({ dataBucketId, key }) => ({
    type: 'internal',
    dataBucketId,
    dataBucketKey: key,
  }));
  await inTransaction(db, async (tx) => {
    await deleteOldInspections(tx, projectId, new Date(at.getTime() - keptMs));
    await enqueueInspection(tx, {
      id,
      projectId,
      jobType: `platen${inspect.name}`,
      jobVersion: String(inspect.version),
      parameters: { options: { input } },
      reportOf,
      by,
      now: at,
    });
  });
  return id;
}

/** What a report depends on: the version of the job type, and of each file its name and content. */
function fingerprintOf(files: readonly ObjectFile[]): Buffer {
  const contents = files.map(({ key, sha256 }) => [key.split('/').at(-1), sha256]);
  return createHash('sha256')
    .update(JSON.stringify([inspect.version, contents]))
    .digest();
}

interface Waiting {
  readonly projectId: string;
  readonly jobId: string;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** The job when it has ended, or as it is when the time is over. */
async function endOf(
  { db, notifications }: Context,
  { projectId, jobId, ms, signal }: Waiting,
): Promise<Job> {
  const waiting = untilNotified(notifications, 'jobEnded', { ms, signal });
  try {
    for (;;) {
      // before looking, so that no end in between is missed
      const notified = waiting.next((payload) => payload === '' || payload === jobId);
      const job = await findJob(db, projectId, jobId);
      if (!job) throw notFound('inspection any more: ask again');
      if (job.endTime !== undefined || !(await notified)) return job;
    }
  } finally {
    waiting.end();
  }
}
