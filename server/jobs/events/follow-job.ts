import { hasEnded, type Job } from '@platen/contract/jobs';
import type { Context } from '../../base/context.ts';
import { findLines } from '../log/store.ts';
import type { JobRow } from '../store.ts';
import { frame } from '../../base/event-stream.ts';
import { follow, type Follower, type Turn } from './follow.ts';
import type { Watch } from './watch.ts';
import type { WatchedJob } from './watched-job.ts';

/** How much of a job somebody has been told: its revision, and the last line of its log. */
export interface Seen {
  readonly revision: number;
  readonly logSeq: number;
}

interface Known extends Seen {
  /** undefined: from before this connection. */
  readonly job: Job | undefined;
}

interface Following {
  readonly db: Context['db'];
  readonly watch: Watch;
  readonly watched: WatchedJob;
  readonly follower: Follower;
}

const linesAtOnce = 200;

/** Whether nothing is left to tell. */
export function isAllTold(
  row: Pick<JobRow, 'state' | 'revision' | 'log_seq'>,
  { revision, logSeq }: Seen,
): boolean {
  return hasEnded(row.state) && revision === row.revision && logSeq === row.log_seq;
}

/** Tells somebody of a job and its log, until it has ended and all is told, or the stream ends. */
export async function followJob(
  { db, log }: Pick<Context, 'db' | 'log'>,
  watch: Watch,
  { follower, jobId, seen }: { follower: Follower; jobId: string; seen: Seen },
): Promise<void> {
  const watched = watch.job(jobId, follower.bell.ring);
  const following = { db, watch, watched, follower };
  let known: Known = { ...seen, job: undefined };
  try {
    await follow({ log }, follower, async () => {
      const next = watched.isGone ? 'gone' : await nextOf(following, known);
      if (next === undefined) return 'wait';
      const turn = await tell(follower, next);
      if (next !== 'gone') ({ known } = next); // not before: what could not be told is told again
      return turn;
    });
  } finally {
    watch.leave(watched, follower.bell.ring);
  }
}

interface Next {
  readonly text: string;
  /** What is known with it. */
  readonly known: Known;
  readonly isEnd?: true;
}

async function tell({ stream, confirm }: Follower, next: Next | 'gone'): Promise<Turn> {
  if (next === 'gone' || !(await confirm()).has('getJob')) {
    stream.end();
    return 'wait';
  }
  await stream.write(next.text);
  if (next.isEnd) stream.end();
  return 'more';
}

/** The end is the last that is told, and the job as it has ended comes after all lines of the log. */
async function nextOf(following: Following, known: Known): Promise<Next | undefined> {
  const { job, logSeq: lastSeq } = following.watched;
  if (!job) return undefined;
  const { revision, logSeq } = known;
  const isBehind = logSeq < lastSeq;
  const isOver = hasEnded(job.state);
  if (revision !== job.revision && (revision === 0 || !isOver || !isBehind))
    return nextOfJob(following.watched, job, known);
  if (isBehind) return nextLines(following, known);
  return isOver ? { text: frame('end', {}, `${revision}.${logSeq}`), known, isEnd: true } : undefined;
}

function nextOfJob(watched: WatchedJob, job: Job, { job: told, logSeq }: Known): Next {
  const { revision } = job;
  const change = watched.changeFrom(told);
  const id = `${revision}.${logSeq}`;
  const text = change === undefined ? frame('job', job, id) : frame('change', change, id);
  return { text, known: { job, revision, logSeq } };
}

async function nextLines({ db, watch, watched }: Following, known: Known): Promise<Next> {
  const { id, logSeq: lastSeq } = watched;
  const page = { after: known.logSeq, limit: linesAtOnce };
  const lines = await watch.share(`lines ${id} ${known.logSeq}`, () => findLines(db, id, page));
  const text = lines.map((line) => frame('log', line, `${known.revision}.${line.seq}`)).join('');
  // lines that are gone are none that could be told
  return { text, known: { ...known, logSeq: lines.at(-1)?.seq ?? lastSeq } };
}
