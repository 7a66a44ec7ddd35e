import { hasEnded } from '@platen/contract/jobs';
import type { Inspection, InspectionReport, PendingInspection } from '@platen/contract/inspect';
import { judgeHeights } from '@platen/processing/heights/judge-heights';
import type { BucketPath } from '../../files/buckets/operations.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { waitForEnd } from '../queue/end.ts';
import { enqueueInspection, raisePriority } from '../queue/enqueue.ts';
import { leaseClock } from '../queue/lease.ts';
import { inspectionAnswer, failureOf, reportOf } from './inspection-answer.ts';
import { findGrounds, findInspection, findProjectArea, findReport, hasRunner } from './store.ts';
import { findTarget, inspect, type InspectionTarget } from './target.ts';

/** Runners poll for jobs at least every 25 s. */
const runnerSilenceMs = 60_000;

interface Request extends BucketPath {
  readonly key: string;
  readonly waitSeconds: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Inspects a file or folder in a job and waits for the report. Bytes of users are parsed only in the sandboxed process
 * of a job.
 * @throws Failure `not_found` for the file, `conflict` when no runner is online
 */
export async function inspectFile(
  context: Context,
  caller: Caller,
  { projectId, dataBucketId, key, waitSeconds, signal }: Request,
): Promise<Inspection | PendingInspection> {
  const { db } = context;
  const target = await findTarget(db, dataBucketId, key);
  const known = await findReport(db, projectId, target.reportOf);
  const answer = async (report: InspectionReport): Promise<Inspection> => {
    const others = report.ground ? await findGrounds(db, projectId, target.reportOf) : [];
    return inspectionAnswer(judgeHeights(report, others), target);
  };
  if (known) return answer(known);
  const jobId = await jobFor(context, { projectId, target, by: caller.userId });
  const job = await waitForEnd(context, { projectId, jobId, ms: waitSeconds * 1000, signal });
  if (!job) throw notFound('inspection. Request it again');
  const { state } = job;
  if (!hasEnded(state)) return { key: target.key, jobId, state };
  return answer(state === 'succeeded' ? reportOf(job.report) : failureOf(job));
}

interface InspectionRequest {
  readonly projectId: string;
  readonly target: InspectionTarget;
  readonly by: string;
}

/** The job that will produce the report: the active inspection of this content, or a new one. */
async function jobFor(context: Context, request: InspectionRequest): Promise<string> {
  const { db, now } = context;
  const { projectId, target } = request;
  const known = await findInspection(db, projectId, target.reportOf);
  if (known?.state === 'running') return known._id;
  if (!(await isRunnerThere(context)))
    throw new Failure('conflict', 'No runner is online to inspect the file. Start a runner and try again.');
  if (!known) return startInspection(context, { ...request, isUrgent: true });
  await raisePriority(db, known._id, now());
  return known._id;
}

export async function isRunnerThere(context: Context): Promise<boolean> {
  const since = new Date(context.now().getTime() - runnerSilenceMs);
  return hasRunner(context.db, { since, clock: leaseClock(context) });
}

/** @returns the id of the job */
export async function startInspection(
  { db, now }: Context,
  { projectId, target, by, isUrgent }: InspectionRequest & { readonly isUrgent: boolean },
): Promise<string> {
  const at = now();
  const { bucketId, key, keys, name, sha256, reportOf: of } = target;
  const input = keys.map((dataBucketKey) => ({ type: 'internal', dataBucketId: bucketId, dataBucketKey }));
  return inTransaction(db, async (tx) => {
    const area = await findProjectArea(tx, projectId);
    return enqueueInspection(tx, {
      id: newId(at),
      projectId,
      jobType: `platen${inspect.name}`,
      jobVersion: String(inspect.version),
      parameters: {
        options: { input, ...(area && { area }) },
        subject: { bucketId, key, name, ...(sha256 !== undefined && { sha256 }) },
      },
      reportOf: of,
      about: `${bucketId}/${key}`,
      isUrgent,
      by,
      now: at,
    });
  });
}
