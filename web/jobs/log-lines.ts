import type { JobLogPage } from '@platen/contract/job-log';
import type { JobLogEntry } from '@platen/contract/jobs';

/** As `before` it means the end of a log. */
export const endOfLog = 2_147_483_647;

/** A stretch of a log, as far as it was read. */
export interface LogStretch {
  readonly lines: readonly JobLogEntry[];
  /** What precedes is asked for with this as `before`; undefined: this is the beginning. */
  readonly before: number | undefined;
  /** What follows is asked for with this as `after`. */
  readonly after: number;
  /** The number of the last line of the log that was heard of. */
  readonly lastSeq: number;
}

export type LogPlace = { readonly before: number } | { readonly after: number };
export type ReadPage = (place: LogPlace) => Promise<JobLogPage>;

/** Where few lines pass the filters, the service answers little at a time: read on until there is something to see. */
const enoughLines = 200;

export const isAtEnd = ({ after, lastSeq }: LogStretch) => after >= lastSeq;

export async function readEnd(read: ReadPage): Promise<LogStretch> {
  const { items, nextAfter, nextBefore, lastSeq } = await read({ before: endOfLog });
  const end = { lines: items, before: nextBefore, after: nextAfter, lastSeq };
  return items.length >= enoughLines ? end : readBefore(end, read);
}

export async function readBeginning(read: ReadPage): Promise<LogStretch> {
  return readAfter({ lines: [], before: undefined, after: 0, lastSeq: endOfLog }, read);
}

/** The same, with what precedes it. */
export async function readBefore(stretch: LogStretch, read: ReadPage): Promise<LogStretch> {
  let { before, lastSeq } = stretch;
  const pages: (readonly JobLogEntry[])[] = [];
  for (let found = 0; before !== undefined && found < enoughLines;) {
    const page: JobLogPage = await read({ before });
    pages.unshift(page.items);
    found += page.items.length;
    before = page.nextBefore;
    lastSeq = Math.max(lastSeq, page.lastSeq);
  }
  return { ...stretch, lines: [...pages.flat(), ...stretch.lines], before, lastSeq };
}

/** The same, with what follows it. */
export async function readAfter(stretch: LogStretch, read: ReadPage): Promise<LogStretch> {
  let { after, lastSeq } = stretch;
  const lines = [...stretch.lines];
  for (let found = 0; after < lastSeq && found < enoughLines;) {
    const page = await read({ after });
    lines.push(...page.items);
    found += page.items.length;
    ({ nextAfter: after, lastSeq } = page);
  }
  return { ...stretch, lines, after, lastSeq };
}

/**
 * The same with lines that were just written, of which it shows those that it is asked for. They follow on only where the
 * stretch reaches up to them: elsewhere it just knows how long the log is by now, and reads on when that is wanted.
 */
export function withNewLines(
  stretch: LogStretch,
  told: readonly JobLogEntry[],
  isShown: (line: JobLogEntry) => boolean,
): LogStretch {
  const fresh = told.filter(({ seq }) => seq > stretch.after);
  const last = fresh.at(-1);
  if (!last) return stretch;
  const lastSeq = Math.max(stretch.lastSeq, last.seq);
  if (fresh[0]!.seq !== stretch.after + 1) return { ...stretch, lastSeq };
  return { ...stretch, lines: [...stretch.lines, ...fresh.filter(isShown)], after: last.seq, lastSeq };
}
