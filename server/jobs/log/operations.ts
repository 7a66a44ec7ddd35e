import type { JobLogPage, JobLogQuery } from '@platen/contract/job-log';
import type { JobLogEntry } from '@platen/contract/jobs';
import type { Context } from '../../base/context.ts';
import { notFound } from '../../base/failure.ts';
import { operationKeyOf, type OperationKey } from '../job-operations/store.ts';
import { findLines, findLogPage } from './store.ts';

export async function readLog({ db }: Context, jobId: string, query: JobLogQuery): Promise<JobLogPage> {
  const { operation, ...search } = query;
  const key = operation === undefined ? undefined : operationKeyOf(operation);
  const page = await findLogPage(db, jobId, { ...search, operation: key });
  if (!page) throw notFound('job'); // deleted since the permissions were checked
  return page;
}

const maxLines = 2000;

interface LogText {
  readonly format: 'text' | 'jsonl';
  /** Only the lines of this operation. */
  readonly operation?: OperationKey;
}

/** Streams the whole log in batches. */
export async function* textOfLog(
  { db }: Context,
  jobId: string,
  { format, operation }: LogText,
): AsyncGenerator<string> {
  const write = format === 'jsonl' ? (line: JobLogEntry) => `${JSON.stringify(line)}\n` : lineOf;
  for (let after = 0; ;) {
    const lines = await findLines(db, jobId, { after, limit: maxLines, operation });
    if (lines.length > 0) yield lines.map(write).join('');
    if (lines.length < maxLines) return;
    after = lines.at(-1)!.seq;
  }
}

/** Indents further lines of a message, so that every line that starts with a time begins a log entry. */
function lineOf({ at, level, operation = '-', message, data }: JobLogEntry): string {
  const more = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  return `${at} ${level.padEnd(7)} ${operation.padEnd(5)} ${message.replace(/\r\n|[\n\r]/g, '\n    ')}${more}\n`;
}
