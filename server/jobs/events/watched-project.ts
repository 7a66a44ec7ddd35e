import type { EventRow, RunningJob } from './store.ts';

/** Number of recent events buffered for slow clients; slower ones read them from the database. */
const maxBuffered = 200;

/** The state of a followed project, as this replica last read it. */
export class WatchedProject {
  readonly id: string;
  readonly listeners = new Set<() => void>();
  /** `recent` holds all events after this position, up to the head of the replica; undefined: not read yet. */
  from: number | undefined;
  recent: readonly EventRow[] = [];
  /** Number of looks that found new progress. */
  version = 0;
  progress: ReadonlyMap<string, { readonly job: RunningJob; readonly version: number }> = new Map();

  constructor(id: string) {
    this.id = id;
  }

  ring(): void {
    for (const listener of this.listeners) listener();
  }

  /** Takes the result of the last look. Returns whether anything is new. */
  take(events: readonly EventRow[], running: readonly RunningJob[]): boolean {
    if (events.length > 0) {
      const before = this.recent.slice(-maxBuffered);
      if (before.length < this.recent.length)
        this.from = this.recent[this.recent.length - maxBuffered - 1]!.position;
      this.recent = [...before, ...events];
    }
    const isNew = (job: RunningJob) => this.progress.get(job.id)?.job.revision !== job.revision;
    const hasProgress = running.some(isNew);
    if (hasProgress) this.version++;
    const { version, progress } = this;
    this.progress = new Map(
      running.map((job) => [job.id, isNew(job) ? { job, version } : progress.get(job.id)!]),
    );
    return events.length > 0 || hasProgress;
  }

  progressSince(version: number): RunningJob[] {
    return [...this.progress.values()].filter((one) => one.version > version).map(({ job }) => job);
  }
}
