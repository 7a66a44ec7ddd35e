import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobLogEntry } from '@platen/contract/jobs';
import {
  isAtEnd,
  readAfter,
  readBefore,
  readBeginning,
  readEnd,
  withNewLines,
  type LogPlace,
} from './log-lines.ts';

const line = (seq: number): JobLogEntry => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  level: seq % 5000 === 0 ? 'error' : 'info',
  message: `Line ${seq}`,
});
const all = Array.from({ length: 20_000 }, (_, index) => line(index + 1));

/** A log as the service reads it: it scans 5000 lines and answers with up to 1000. */
function logOf(lines: readonly JobLogEntry[], matches: (line: JobLogEntry) => boolean = () => true) {
  const requests: LogPlace[] = [];
  const totals = { debug: 0, info: 0, warning: 0, error: 0 };
  const lastSeq = lines.length;
  return {
    requests,
    async read(place: LogPlace) {
      requests.push(place);
      if ('before' in place) {
        const end = Math.min(place.before - 1, lastSeq);
        const from = Math.max(0, end - 5000);
        const found = lines.slice(from, end).filter(matches);
        const items = found.slice(-1000);
        const next = found.length > 1000 ? items[0]!.seq : from + 1;
        return { items, nextAfter: end, ...(next > 1 && { nextBefore: next }), lastSeq, totals };
      }
      const to = Math.min(place.after + 5000, lastSeq);
      const found = lines.slice(place.after, to).filter(matches);
      const items = found.slice(0, 1000);
      return { items, nextAfter: found.length > 1000 ? items.at(-1)!.seq : to, lastSeq, totals };
    },
  };
}
const seqs = (lines: readonly JobLogEntry[]) => [lines.at(0)?.seq, lines.at(-1)?.seq, lines.length];

test('a long log is read from its end, and backwards to its beginning without gaps', async () => {
  const { read } = logOf(all);
  let range = await readEnd(read);
  assert.deepEqual([seqs(range.lines), isAtEnd(range)], [[19_001, 20_000, 1000], true]);
  while (range.before !== undefined) range = await readBefore(range, read);
  assert.deepEqual(
    range.lines.map(({ seq }) => seq),
    all.map(({ seq }) => seq),
  );
});

test('from the beginning it is read forwards, until it is at the end', async () => {
  const { read } = logOf(all.slice(0, 2500));
  let range = await readBeginning(read);
  assert.deepEqual([seqs(range.lines), range.before, isAtEnd(range)], [[1, 1000, 1000], undefined, false]);
  range = await readAfter(await readAfter(range, read), read);
  assert.deepEqual([seqs(range.lines), isAtEnd(range)], [[1, 2500, 2500], true]);
});

test('if few lines pass a filter, requests are repeated until enough are found', async () => {
  const { read, requests } = logOf(all, ({ level }) => level === 'error');
  const range = await readEnd(read);
  assert.deepEqual(
    range.lines.map(({ seq }) => seq),
    [5000, 10_000, 15_000, 20_000],
  );
  assert.deepEqual([range.before, requests.length], [undefined, 4]);
});

test('new lines that match the filters are appended once at the end of the range', async () => {
  const range = await readEnd(logOf(all.slice(0, 10)).read);
  const next = withNewLines(range, [line(9), line(10), line(11), line(12)], ({ seq }) => seq !== 11);
  assert.deepEqual([seqs(next.lines), next.after, next.lastSeq], [[1, 12, 11], 12, 12]);
  assert.equal(
    withNewLines(next, [line(12)], () => true),
    next,
  );
});

test('new lines after a gap are marked, so that there is more to read', async () => {
  const { read } = logOf(all.slice(0, 15));
  const range = await readEnd(logOf(all.slice(0, 10)).read);
  const behind = withNewLines(range, [line(15)], () => true);
  assert.deepEqual([seqs(behind.lines), isAtEnd(behind)], [[1, 10, 10], false]);
  assert.deepEqual(seqs((await readAfter(behind, read)).lines), [1, 15, 15]);
});
