import type { JobChange } from '@platen/contract/events';
import type { Job } from '@platen/contract/jobs';
import { fromRow, type JobRow } from '../store.ts';
import type { JobMark } from './store.ts';

/** The state of a followed job, as this replica last read it. */
export class WatchedJob {
  readonly id: string;
  readonly listeners = new Set<() => void>();
  /** Undefined: not read yet. */
  job: Job | undefined;
  /** Number of the last log line. */
  logSeq = 0;
  isGone = false;
  #before: Job | undefined;
  #change: string | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Takes the result of the last look: no mark when the job was deleted, a row when its revision is new. */
  take(mark: JobMark | undefined, row: JobRow | undefined): void {
    this.isGone = !mark;
    const hasNewLines = mark !== undefined && mark.logSeq > this.logSeq;
    if (hasNewLines) this.logSeq = mark.logSeq;
    if (row) {
      this.#before = this.job;
      this.#change = undefined;
      this.job = fromRow(row);
      this.logSeq = row.log_seq;
    }
    if (this.isGone || row || hasNewLines) this.ring();
  }

  /** The change as JSON, for a client that has the previous revision; undefined: send the whole job. */
  changeFrom(before: Job | undefined): string | undefined {
    if (!before || before !== this.#before) return undefined;
    this.#change ??= JSON.stringify(changeOf(before, this.job!));
    return this.#change;
  }

  ring(): void {
    for (const listener of this.listeners) listener();
  }
}

function changeOf(before: Job, after: Job): JobChange {
  const fields = Object.keys({ ...before, ...after }) as (keyof Job)[];
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? null])) as JobChange;
}
