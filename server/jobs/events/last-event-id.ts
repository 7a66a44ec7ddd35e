import { Failure } from '../../base/failure.ts';
import type { Seen } from './follow-job.ts';

/**
 * The ID of the last event that the client received: from the header, as browsers send it, or from the query. Empty:
 * none.
 */
export function lastEventIdOf(header: string | string[] | undefined, query: string | undefined): string {
  return [header].flat().find((value) => value !== undefined && value !== '') ?? query ?? '';
}

/** @throws Failure `invalid` */
export function positionOf(id: string): number | undefined {
  if (id === '') return undefined;
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw notOurs();
}

/** @throws Failure `invalid` */
export function seenOf(id: string): Seen {
  if (id === '') return { revision: 0, logSeq: 0 };
  const [, revision, logSeq] = /^(\d{1,9})\.(\d{1,9})$/.exec(id) ?? [];
  if (revision === undefined || logSeq === undefined) throw notOurs();
  return { revision: Number(revision), logSeq: Number(logSeq) };
}

function notOurs(): Failure {
  const detail = 'It must be the ID of an event of this stream.';
  return new Failure('invalid', `Last-Event-ID: ${detail}`, {
    errors: [{ pointer: 'lastEventId', code: 'invalid', detail }],
  });
}
