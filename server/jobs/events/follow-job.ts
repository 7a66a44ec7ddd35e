import { hasEnded, type Job } from '@platen/contract/jobs';
import type { Context } from '../../base/context.ts';
import { findLines } from '../log/store.ts';
import type { JobRow } from '../store.ts';
import { frame } from '../../base/event-stream.ts';
import { follow, type Follower, type Turn } from './follow.ts';
import type { Watch } from './watch.ts';
import type { WatchedJob } from './watched-job.ts';

/** How much of a job a client has received: its revision and the number of the last log line. */
export interface Seen {
  readonly revision: number;
  readonly logSeq: number;
}

interface ClientState extends Seen {
  /** Undefined: received before this connection. */
  readonly job: Job | undefined;
}

interface JobSubscription {
  readonly db: Context['db'];
  readonly watch: Watch;
  readonly watched: WatchedJob;
  readonly follower: Follower;
}

const maxLines = 200;

/** Whether the job has ended and the client has received everything. */
export function hasReceivedAll(
  row: Pick<JobRow, 'state' | 'revision' | 'log_seq'>,
  { revision, logSeq }: Seen,
): boolean {
  return hasEnded(row.state) && revision === row.revision && logSeq === row.log_seq;
}

/** Sends a job and its log to a client until the job has ended and everything is sent, or until the stream ends. */
export async function followJob(
  { db, log }: Pick<Context, 'db' | 'log'>,
  watch: Watch,
  { follower, jobId, seen }: { follower: Follower; jobId: string; seen: Seen },
): Promise<void> {
  const watched = watch.job(jobId, follower.signal.set);
  const following = { db, watch, watched, follower };
  let known: ClientState = { ...seen, job: undefined };
  try {
    await follow({ log }, follower, async () => {
      const next = watched.isGone ? 'gone' : await nextOf(following, known);
      if (next === undefined) return 'wait';
      const turn = await send(follower, next);
      if (next !== 'gone') ({ known } = next); // only after sending, so that a failed event is sent again
      return turn;
    });
  } finally {
    watch.leave(watched, follower.signal.set);
  }
}

interface Next {
  readonly text: string;
  /** The state of the client after this event. */
  readonly known: ClientState;
  readonly isEnd?: true;
}

async function send({ stream, confirm }: Follower, next: Next | 'gone'): Promise<Turn> {
  if (next === 'gone' || !(await confirm()).has('getJob')) {
    stream.end();
    return 'wait';
  }
  await stream.write(next.text);
  if (next.isEnd) stream.end();
  return 'more';
}

/** The next event. The final state of the job follows all lines of its log; the event `end` comes last. */
async function nextOf(following: JobSubscription, known: ClientState): Promise<Next | undefined> {
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

function nextOfJob(watched: WatchedJob, job: Job, { job: knownJob, logSeq }: ClientState): Next {
  const { revision } = job;
  const change = watched.changeFrom(knownJob);
  const id = `${revision}.${logSeq}`;
  const text = change === undefined ? frame('job', job, id) : frame('change', change, id);
  return { text, known: { job, revision, logSeq } };
}

async function nextLines({ db, watch, watched }: JobSubscription, known: ClientState): Promise<Next> {
  const { id, logSeq: lastSeq } = watched;
  const page = { after: known.logSeq, limit: maxLines };
  const lines = await watch.share(`lines ${id} ${known.logSeq}`, () => findLines(db, id, page));
  const text = lines.map((line) => frame('log', line, `${known.revision}.${line.seq}`)).join('');
  // lines that were removed meanwhile are skipped
  return { text, known: { ...known, logSeq: lines.at(-1)?.seq ?? lastSeq } };
}
