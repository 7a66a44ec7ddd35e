import { backgroundFailuresOf } from '../../base/background-failures.ts';
import type { Context } from '../../base/context.ts';
import type { Channel } from '../../base/database/notifications.ts';
import { shareReads } from './shared-reads.ts';
import {
  findBounds,
  findEvents,
  findJobRows,
  findNewEvents,
  maxNewEvents,
  moveChanges,
  type NewsQuery,
  type EventPage,
  type EventRow,
  type NewEvents,
} from './store.ts';
import { WatchedJob } from './watched-job.ts';
import { WatchedProject } from './watched-project.ts';

/** Interval for changes without a notification; notifications wake earlier, at most every `minMs`. */
const pollEveryMs = 250;
const minMs = 50;
const afterFailureMs = 1_000;
const failure = 'new events could not be read';
const wakingChannels: readonly Channel[] = ['jobQueued', 'jobEnded', 'objectsChanged', 'accessChanged'];
const pageLength = 500;

type Parts = Pick<Context, 'db' | 'notifications' | 'log'>;

/**
 * Polls the database for all event streams of this replica, with one query for all of them and none when there are
 * none.
 */
export class Watch {
  /** Shares identical concurrent reads. */
  readonly share = shareReads();
  readonly #parts: Parts;
  readonly #projects = new Map<string, WatchedProject>();
  readonly #jobs = new Map<string, WatchedJob>();
  readonly #endings: readonly (() => void)[];
  /** All events up to this position have been read. */
  #head: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<number> | undefined;
  #isAwake = false;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const wake = () => {
      if (this.#isWatching && !this.#isAwake) this.#wake(minMs);
    };
    this.#endings = wakingChannels.map((channel) => parts.notifications.on(channel, wake));
  }

  project(id: string, ring: () => void): WatchedProject {
    return this.#join(this.#projects, new WatchedProject(id), ring);
  }

  job(id: string, ring: () => void): WatchedJob {
    return this.#join(this.#jobs, new WatchedJob(id), ring);
  }

  leave(watched: WatchedProject | WatchedJob, ring: () => void): void {
    watched.listeners.delete(ring);
    if (watched.listeners.size > 0) return;
    for (const all of [this.#projects, this.#jobs])
      if (all.get(watched.id) === watched) all.delete(watched.id);
  }

  /** The events of a project after a position, from memory for clients that are up to date. */
  eventsAfter(
    { id: projectId, from, recent }: WatchedProject,
    after: number,
  ): Promise<EventPage> | EventPage {
    if (from !== undefined && this.#head !== undefined && after >= from) {
      const events = recent.filter(({ position }) => position > after);
      return { events, position: Math.max(this.#head, after), isTooOld: false };
    }
    const page = { projectId, after, limit: pageLength };
    return this.share(`events ${projectId} ${after}`, () => findEvents(this.#parts.db, page));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const end of this.#endings) end();
    await this.#looking;
  }

  get #isWatching(): boolean {
    return this.#projects.size + this.#jobs.size > 0;
  }

  #join<T extends WatchedProject | WatchedJob>(all: Map<string, T>, fresh: T, ring: () => void): T {
    const watched = all.get(fresh.id) ?? fresh;
    all.set(watched.id, watched);
    watched.listeners.add(ring);
    this.#wake(0);
    return watched;
  }

  #wake(ms: number): void {
    this.#isAwake = true;
    if (!this.#looking) this.#schedule(ms);
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), ms);
  }

  async #run(): Promise<void> {
    this.#isAwake = false;
    const failures = backgroundFailuresOf(this.#parts.log);
    this.#looking = this.#look().then(
      (ms) => {
        failures.succeeded(failure);
        return ms;
      },
      (error: unknown) => {
        failures.report(failure, error);
        return afterFailureMs;
      },
    );
    const nextMs = await this.#looking;
    this.#looking = undefined;
    if (this.#isWatching) this.#schedule(this.#isAwake ? Math.min(nextMs, minMs) : nextMs);
    else this.#head = undefined;
  }

  /** Reads everything new. Returns the number of milliseconds until the next look. */
  async #look(): Promise<number> {
    const after = (this.#head ??= (await findBounds(this.#parts.db)).head);
    // clients that read before the first look may have missed events in between
    const fresh = [...this.#projects.values()].filter(({ from }) => from === undefined);
    for (const project of fresh) project.from = after;
    const asked = { after, projectIds: [...this.#projects.keys()], jobIds: [...this.#jobs.keys()] };
    const news = await this.#findNews(asked);
    const isAll = news.events.length < maxNewEvents;
    this.#head = isAll ? Math.max(news.head, after) : news.events.at(-1)!.position;
    this.#takeProjects(asked, news);
    for (const project of fresh) project.ring();
    await this.#takeJobs(asked, news);
    return isAll ? pollEveryMs : 0;
  }

  async #findNews(asked: NewsQuery): Promise<NewEvents> {
    const { db } = this.#parts;
    const news = await findNewEvents(db, asked);
    if (!news.isPending || asked.projectIds.length === 0) return news;
    await moveChanges(db, { mayWait: false });
    return findNewEvents(db, asked);
  }

  #takeProjects({ projectIds }: NewsQuery, { events, running }: NewEvents): void {
    const eventsOf = Map.groupBy(events.map(rowOf), ({ project_id: id }) => id);
    const runningIn = Map.groupBy(running, ({ projectId }) => projectId);
    for (const id of projectIds) {
      const project = this.#projects.get(id);
      if (project?.take(eventsOf.get(id) ?? [], runningIn.get(id) ?? [])) project.ring();
    }
  }

  async #takeJobs({ jobIds }: NewsQuery, news: NewEvents): Promise<void> {
    const changed = news.jobs.filter(({ id, revision }) => this.#jobs.get(id)?.job?.revision !== revision);
    const ids = changed.map(({ id }) => id);
    const rows = ids.length > 0 ? await findJobRows(this.#parts.db, ids) : [];
    const rowsById = new Map(rows.map((row) => [row.id, row]));
    const marks = new Map(news.jobs.map((mark) => [mark.id, mark]));
    for (const id of jobIds) this.#jobs.get(id)?.take(marks.get(id), rowsById.get(id));
  }
}

const rowOf = ({ at, ...row }: NewEvents['events'][number]): EventRow => ({ ...row, at: new Date(at) });
