import type { JobLogPage } from '@platen/contract/job-log';
import type { JobLogEntry } from '@platen/contract/jobs';

/** As `before`, this requests the end of a log. */
export const endOfLog = 2_147_483_647;

/** A contiguous range of log lines that has been read. */
export interface LogRange {
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
const minLines = 200;

export const isAtEnd = ({ after, lastSeq }: LogRange) => after >= lastSeq;

export async function readEnd(read: ReadPage): Promise<LogRange> {
  const { items, nextAfter, nextBefore, lastSeq } = await read({ before: endOfLog });
  const end = { lines: items, before: nextBefore, after: nextAfter, lastSeq };
  return items.length >= minLines ? end : readBefore(end, read);
}

export async function readBeginning(read: ReadPage): Promise<LogRange> {
  return readAfter({ lines: [], before: undefined, after: 0, lastSeq: endOfLog }, read);
}

/** The range extended by the lines before it. */
export async function readBefore(range: LogRange, read: ReadPage): Promise<LogRange> {
  let { before, lastSeq } = range;
  const pages: (readonly JobLogEntry[])[] = [];
  for (let found = 0; before !== undefined && found < minLines;) {
    const page: JobLogPage = await read({ before });
    pages.unshift(page.items);
    found += page.items.length;
    before = page.nextBefore;
    lastSeq = Math.max(lastSeq, page.lastSeq);
  }
  return { ...range, lines: [...pages.flat(), ...range.lines], before, lastSeq };
}

/** The range extended by the lines after it. */
export async function readAfter(range: LogRange, read: ReadPage): Promise<LogRange> {
  let { after, lastSeq } = range;
  const lines = [...range.lines];
  for (let found = 0; after < lastSeq && found < minLines;) {
    const page = await read({ after });
    lines.push(...page.items);
    found += page.items.length;
    ({ nextAfter: after, lastSeq } = page);
  }
  return { ...range, lines, after, lastSeq };
}

/**
 * The range extended by lines just written, as far as they match the filters. They are appended only if the range
 * reaches
 * up to them; otherwise only the known length grows, and the lines are read when needed.
 */
export function withNewLines(
  range: LogRange,
  entries: readonly JobLogEntry[],
  isVisible: (line: JobLogEntry) => boolean,
): LogRange {
  const fresh = entries.filter(({ seq }) => seq > range.after);
  const last = fresh.at(-1);
  if (!last) return range;
  const lastSeq = Math.max(range.lastSeq, last.seq);
  if (fresh[0]!.seq !== range.after + 1) return { ...range, lastSeq };
  return { ...range, lines: [...range.lines, ...fresh.filter(isVisible)], after: last.seq, lastSeq };
}
