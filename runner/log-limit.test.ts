import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitLog, type LogLine } from './log-limit.ts';

function start() {
  const sent: LogLine[] = [];
  const clock = { ms: 0 };
  const log = limitLog(
    (line) => void sent.push(line),
    () => clock.ms,
  );
  const write = (from: number, to: number, message = '') => {
    for (let i = from; i <= to; i++) log.add({ at: '', level: 'info', message: `${i}${message}` });
  };
  return { sent, clock, log, write };
}

test('a hundred thousand lines pass immediately', () => {
  const { sent, write } = start();
  write(1, 100_000);
  assert.equal(sent.length, 100_000);
});

test('the middle of a flood of lines after those is dropped with a note, never the end', () => {
  const { sent, log, write } = start();
  write(1, 1_000_000);
  log.flush();
  assert.equal(sent.length, 100_000 + 500 + 1 + 500);
  assert.deepEqual(
    sent.slice(100_499, 100_502).map(({ message }) => message.slice(0, 30)),
    ['100500', '899000 lines were dropped here', '999501'],
  );
  assert.equal(sent.at(-1)!.message, '1000000');
  assert.equal(sent[100_500]!.level, 'warning');
});

test('slow lines pass, whatever their number', () => {
  const { sent, clock, write } = start();
  write(1, 100_000);
  for (let i = 0; i < 100; i++) {
    clock.ms += 400;
    write(100_001 + i * 500, 100_500 + i * 500);
  }
  assert.equal(sent.length, 150_000);
});

test('waiting lines are sent in order with the next ones', () => {
  const { sent, clock, write } = start();
  write(1, 100_700);
  assert.equal(sent.length, 100_500);
  clock.ms += 400;
  write(100_701, 100_701);
  assert.deepEqual(
    sent.map(({ message }) => Number(message)),
    Array.from({ length: 100_701 }, (_, i) => i + 1),
  );
});

test('long lines count as several', () => {
  const { sent, log, write } = start();
  write(1, 20_000, ' '.repeat(9990));
  log.flush();
  assert.ok(sent.length < 12_000, String(sent.length));
  assert.match(sent.at(-1)!.message, /^20000 /);
});
