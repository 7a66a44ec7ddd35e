import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPattern } from '../../server/jobs/tasks/cron.ts';
import { cronOf, repeatOf, sortDays, type Repeat } from './repeat.ts';

const cases: readonly (readonly [string, Repeat])[] = [
  ['0 * * * *', { kind: 'hours', every: 1, minute: 0 }],
  ['20 */6 * * *', { kind: 'hours', every: 6, minute: 20 }],
  ['30 3 * * *', { kind: 'days', time: '03:30' }],
  ['0 18 * * 1-5', { kind: 'weeks', days: [1, 2, 3, 4, 5], time: '18:00' }],
  ['5 0 * * 6,0', { kind: 'weeks', days: [6, 0], time: '00:05' }],
  ['0 7 1 * *', { kind: 'months', day: 1, time: '07:00' }],
  ['0 7 L * *', { kind: 'months', day: 'last', time: '07:00' }],
  ['*/5 9-17 * * *', { kind: 'raw', cron: '*/5 9-17 * * *' }],
];

test('the chosen times become cron that the service accepts, and are read from it again', () => {
  for (const [cron, repeat] of cases) {
    assert.equal(cronOf(repeat), cron);
    assert.deepEqual(repeatOf(cron), repeat);
    assert.ok(isPattern(cron), cron);
  }
});

test('other ways to write the same are read as the same', () => {
  assert.deepEqual(repeatOf('@daily'), { kind: 'days', time: '00:00' });
  assert.deepEqual(repeatOf('0 30 3 * * *'), { kind: 'days', time: '03:30' });
  assert.deepEqual(repeatOf('0 8 * * mon,wed-fri'), { kind: 'weeks', days: [1, 3, 4, 5], time: '08:00' });
  assert.deepEqual(repeatOf('0 8 * * 6-7'), { kind: 'weeks', days: [6, 0], time: '08:00' });
});

test('patterns that the builder has no words for stay as they are', () => {
  for (const cron of [
    '0 8 * * tue#2',
    '0 8 15W * *',
    '0 8 1 1 *',
    '15 8 1 * 1',
    '30 0 3 * * *',
    '0 */5 * * *',
    'nonsense',
  ]) {
    assert.deepEqual(repeatOf(cron), { kind: 'raw', cron });
    assert.equal(cronOf(repeatOf(cron)), cron);
  }
});

test('a week begins on Monday', () => {
  assert.deepEqual(sortDays([0, 3, 1]), [1, 3, 0]);
});
