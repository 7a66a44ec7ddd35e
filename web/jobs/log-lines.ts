import type { JobLogPage } from '@platen/contract/job-log';
import type { JobLogEntry } from '@platen/contract/jobs';

/** As `before`, this requests the end of a log. */
export const endOfLog = 2_147_483_647;

/** A contiguous range of log lines that has been read. */
export interface LogStretch {
  readonly lines: readonly JobLogEntry[];
  /** Value of `before` that requests the preceding lines; undefined at the beginning of the log. */
  readonly before: number | undefined;
  /** Value of `after` that requests the following lines. */
  readonly after: number;
  /** The highest line number known so far. */
  readonly lastSeq: number;
}

export type LogPlace = { readonly before: number } | { readonly after: number };
export type ReadPage = (place: LogPlace) => Promise<JobLogPage>;

/** When few lines match the filters, each answer holds few: read on until there are this many. */
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

/** The range extended by the lines before it. */
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

/** The range extended by the lines after it. */
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
 * The range extended by lines just written, as far as they match the filters. They are appended only if the range
 * reaches
 * up to them; otherwise only the known length grows, and the lines are read when needed.
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
