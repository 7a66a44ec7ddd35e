import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxPhases } from '@platen/contract/max-phases';
import { trackPhases } from './phases.ts';

function start() {
  const clock = { ms: 0 };
  const phases = trackPhases(() => clock.ms);
  const update = (phase: string, done: number, total: number, secondsAfter = 0) => {
    clock.ms += secondsAfter * 1000;
    phases.update({ phase, done, total });
  };
  return { clock, phases, update };
}

test('all phases since the last report are sent, with their start and end times', () => {
  const { clock, phases, update } = start();
  assert.equal(phases.take(), undefined);
  update('stage', 0, 5);
  update('stage', 5, 5, 1);
  update('read', 1, 2, 1);
  update('cut', 3, 4, 2);
  clock.ms += 1000;
  assert.deepEqual(phases.take(), {
    progress: { phase: 'cut', done: 3, total: 4, perSecond: 0 },
    phases: [
      { n: 1, name: 'stage', done: 5, total: 5, startedSecondsAgo: 5, endedSecondsAgo: 3 },
      { n: 2, name: 'read', done: 1, total: 2, startedSecondsAgo: 3, endedSecondsAgo: 1 },
      { n: 3, name: 'cut', done: 3, total: 4, startedSecondsAgo: 1 },
    ],
  });
  assert.equal(phases.take(), undefined);
});

test('phases that could not be sent are sent with the next ones', () => {
  const { phases, update } = start();
  update('read', 0, 2);
  update('cut', 0, 2);
  const changes = phases.take()!;
  assert.equal(phases.hasChanged(), false);
  phases.restore(changes);
  update('write', 0, 2);
  assert.deepEqual(
    phases.take()!.phases.map(({ n, name }) => [n, name]),
    [
      [1, 'read'],
      [2, 'cut'],
      [3, 'write'],
    ],
  );
});

test('speed is measured here; the time that is left is guessed only where the job type foretells none', () => {
  const { clock, phases } = start();
  const update = (done: number, more: object = {}) =>
    phases.update({ phase: 'read', done, total: 1000, unit: 'bytes', ...more });
  update(0);
  clock.ms = 10_000;
  update(123.456);
  assert.deepEqual(phases.take()!.progress, {
    phase: 'read',
    done: 123.456,
    total: 1000,
    unit: 'bytes',
    perSecond: 12.3,
    secondsLeft: 72,
  });
  update(123.456, { hasTotalEstimate: true });
  assert.equal(phases.take()!.progress.secondsLeft, undefined);
  update(123.456, { hasTotalEstimate: true, secondsLeft: 5 });
  assert.equal(phases.take()!.progress.secondsLeft, 5);
});

test('a repeated phase is another phase, and their number is limited', () => {
  const { phases, update } = start();
  for (let i = 0; i < 3 * maxPhases; i++) update(i % 2 ? 'a' : 'b', i, 0);
  assert.equal(phases.number(), maxPhases);
  const { progress, phases: reported } = phases.take()!;
  assert.deepEqual([progress.phase, progress.done, reported.length], ['a', 599, maxPhases]);
});
