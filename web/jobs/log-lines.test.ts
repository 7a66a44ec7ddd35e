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

/** As the service reads a log: 5000 lines in a look, 1000 in an answer. */
function logOf(lines: readonly JobLogEntry[], isWanted: (line: JobLogEntry) => boolean = () => true) {
  const asked: LogPlace[] = [];
  const totals = { debug: 0, info: 0, warning: 0, error: 0 };
  const lastSeq = lines.length;
  return {
    asked,
    async read(place: LogPlace) {
      asked.push(place);
      if ('before' in place) {
        const end = Math.min(place.before - 1, lastSeq);
        const from = Math.max(0, end - 5000);
        const found = lines.slice(from, end).filter(isWanted);
        const items = found.slice(-1000);
        const next = found.length > 1000 ? items[0]!.seq : from + 1;
        return { items, nextAfter: end, ...(next > 1 && { nextBefore: next }), lastSeq, totals };
      }
      const to = Math.min(place.after + 5000, lastSeq);
      const found = lines.slice(place.after, to).filter(isWanted);
      const items = found.slice(0, 1000);
      return { items, nextAfter: found.length > 1000 ? items.at(-1)!.seq : to, lastSeq, totals };
    },
  };
}
const seqs = (lines: readonly JobLogEntry[]) => [lines.at(0)?.seq, lines.at(-1)?.seq, lines.length];

test('a long log is read from its end, and backwards to its beginning without gaps', async () => {
  const { read } = logOf(all);
  let stretch = await readEnd(read);
  assert.deepEqual([seqs(stretch.lines), isAtEnd(stretch)], [[19_001, 20_000, 1000], true]);
  while (stretch.before !== undefined) stretch = await readBefore(stretch, read);
  assert.deepEqual(
    stretch.lines.map(({ seq }) => seq),
    all.map(({ seq }) => seq),
  );
});

test('from the beginning it is read forwards, until it is at the end', async () => {
  const { read } = logOf(all.slice(0, 2500));
  let stretch = await readBeginning(read);
  assert.deepEqual(
    [seqs(stretch.lines), stretch.before, isAtEnd(stretch)],
    [[1, 1000, 1000], undefined, false],
  );
  stretch = await readAfter(await readAfter(stretch, read), read);
  assert.deepEqual([seqs(stretch.lines), isAtEnd(stretch)], [[1, 2500, 2500], true]);
});

test('where few lines pass a filter, as many looks are taken as it needs to find them', async () => {
  const { read, asked } = logOf(all, ({ level }) => level === 'error');
  const stretch = await readEnd(read);
  assert.deepEqual(
    stretch.lines.map(({ seq }) => seq),
    [5000, 10_000, 15_000, 20_000],
  );
  assert.deepEqual([stretch.before, asked.length], [undefined, 4]);
});

test('new lines follow on where the stretch ends, once, and only those that are shown', async () => {
  const stretch = await readEnd(logOf(all.slice(0, 10)).read);
  const next = withNewLines(stretch, [line(9), line(10), line(11), line(12)], ({ seq }) => seq !== 11);
  assert.deepEqual([seqs(next.lines), next.after, next.lastSeq], [[1, 12, 11], 12, 12]);
  assert.equal(
    withNewLines(next, [line(12)], () => true),
    next,
  );
});

test('new lines that are not the next ones leave no gap: it is known that there is more to read', async () => {
  const { read } = logOf(all.slice(0, 15));
  const stretch = await readEnd(logOf(all.slice(0, 10)).read);
  const behind = withNewLines(stretch, [line(15)], () => true);
  assert.deepEqual([seqs(behind.lines), isAtEnd(behind)], [[1, 10, 10], false]);
  assert.deepEqual(seqs((await readAfter(behind, read)).lines), [1, 15, 15]);
});
