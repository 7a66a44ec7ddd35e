import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoffMs, mayReplace, nextWork } from './next-work.ts';
import type { UploadState } from './upload-item.ts';

const item = (key: string, size: number, change: { state?: UploadState; overwrite?: boolean } = {}) => ({
  key,
  file: { size },
  bucketId: 'b',
  state: 'queued' as UploadState,
  overwrite: false,
  wasFree: true,
  wasInterrupted: false,
  ...change,
});
const keysOf = (work: readonly { key: string }[]) => work.map(({ key }) => key);

test('small files go together, large ones alone', () => {
  const items = [item('a', 10), item('large', 3_000_000), item('b', 20)];
  assert.deepEqual(keysOf(nextWork(items)), ['a', 'b']);
  assert.deepEqual(keysOf(nextWork(items.slice(1))), ['large']);
  assert.deepEqual(nextWork([item('x', 1, { state: 'paused' })]), []);
});

test('a form has room for forty files and some megabytes', () => {
  const many = Array.from({ length: 5000 }, (_, index) => item(`${index}`, 10));
  assert.equal(nextWork(many).length, 40);
  const big = Array.from({ length: 10 }, (_, index) => item(`${index}`, 1_900_000));
  assert.equal(nextWork(big).length, 4);
});

test('replacing uploads are not mixed with others, nor are data buckets', () => {
  const items = [
    item('a', 1),
    item('b', 1, { overwrite: true }),
    item('c', 1),
    { ...item('d', 1), bucketId: 'c' },
  ];
  assert.deepEqual(keysOf(nextWork(items)), ['a', 'c']);
  const again = { ...item('e', 1), wasInterrupted: true };
  assert.deepEqual(keysOf(nextWork([items[1]!, again])), ['b', 'e']);
});

test('an interrupted upload may replace itself, not a former file of its name', () => {
  const interrupted = { overwrite: false, wasFree: true, wasInterrupted: true };
  assert.ok(mayReplace(interrupted));
  assert.ok(!mayReplace({ ...interrupted, wasFree: false }));
  assert.ok(!mayReplace({ ...interrupted, wasInterrupted: false }));
  assert.ok(mayReplace({ overwrite: true, wasFree: false, wasInterrupted: false }));
});

test('a name that a form cannot contain is sent by tus', () => {
  assert.deepEqual(keysOf(nextWork([item('say "hi".json', 5), item('a', 1)])), ['say "hi".json']);
});

test('tries become rarer, up to half a minute', () => {
  assert.deepEqual([1, 2, 3, 6, 20].map(backoffMs), [1000, 2000, 4000, 30_000, 30_000]);
});
