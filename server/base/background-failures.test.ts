import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBackgroundFailures } from './background-failures.ts';

const away = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
const parts = ['events were not read', 'counts were not added up', 'schedules were not applied'];

function start() {
  const lines: string[] = [];
  let atMs = 0;
  const write = (_data: unknown, line: string) => void lines.push(line);
  const failures = createBackgroundFailures({ error: write, info: write } as never, () => atMs);
  return { lines, failures, wait: (ms: number) => (atMs += ms) };
}

test('while the database starts, all background work together logs one line, and one when it is over', () => {
  const { lines, failures, wait } = start();
  for (let n = 0; n < 200; n++, wait(250)) for (const part of parts) failures.report(part, away);
  assert.deepEqual(lines, ['the database cannot be reached: background work waits for it']);
  wait(1000);
  for (const part of parts) failures.succeeded(part);
  assert.deepEqual(lines.slice(1), ['over: the database cannot be reached: background work waits for it']);
});

test('a long outage is repeated once a minute', () => {
  const { lines, failures, wait } = start();
  for (let n = 0; n < 10 * 240; n++, wait(250)) for (const part of parts) failures.report(part, away);
  assert.equal(lines.length, 10);
});

test('connections that turn out to be broken after the first success are of the same outage', () => {
  const { lines, failures, wait } = start();
  failures.report(parts[0]!, away);
  for (let n = 0; n < 3; n++, wait(100)) {
    failures.succeeded(parts[1]!);
    failures.report(parts[0]!, away);
  }
  assert.equal(lines.length, 1);
});

test('work that fails for a reason of its own is logged by its name, and other work does not end it', () => {
  const { lines, failures, wait } = start();
  for (let n = 0; n < 20; n++, wait(250)) failures.report(parts[0]!, new Error('division by zero'));
  wait(2000);
  failures.succeeded(parts[1]!);
  assert.deepEqual(lines, [parts[0]]);
  failures.succeeded(parts[0]!);
  assert.deepEqual(lines, [parts[0], `over: ${parts[0]}`]);
});
