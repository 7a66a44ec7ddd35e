import type { EventRow, RunningJob } from './store.ts';

/** Of what has been told lately so much stays for those who are a moment behind; others read it again. */
const kept = 200;

/** What a replica knows of a project that somebody follows. */
export class WatchedProject {
  readonly id: string;
  readonly bells = new Set<() => void>();
  /** All events after this position, up to the head of the replica, are in `recent`; undefined: not looked at yet. */
  from: number | undefined;
  recent: readonly EventRow[] = [];
  /** Counts the looks in which progress was new. */
  version = 0;
  progress: ReadonlyMap<string, { readonly job: RunningJob; readonly version: number }> = new Map();

  constructor(id: string) {
    this.id = id;
  }

  ring(): void {
    for (const bell of this.bells) bell();
  }

  /** What the last look has found. Returns whether there is anything new. */
  take(events: readonly EventRow[], running: readonly RunningJob[]): boolean {
    if (events.length > 0) {
      const before = this.recent.slice(-kept);
      if (before.length < this.recent.length)
        this.from = this.recent[this.recent.length - kept - 1]!.position;
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
