import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog } from './catalog.ts';
import { estimateTimeLeft, hasShares } from './phases.ts';

const phases = {
  read: { unit: 'bytes', share: 0.33 },
  sort: { unit: 'parts', share: 0.03 },
  cut: { unit: 'bytes', share: 0.56 },
  write: { unit: 'tiles', share: 0.08 },
};

test('the time that is left follows from the time that was taken and the share that is done', () => {
  let ms = 0;
  const estimate = estimateTimeLeft(phases, () => ms);
  assert.equal(estimate('read', 0, 100), undefined);
  ms = 1000;
  assert.equal(estimate('read', 1, 100), undefined, 'too little has been done');
  ms = 33_000;
  assert.equal(estimate('read', 100, 100), 67);
  ms = 92_000;
  assert.equal(estimate('cut', 1, 1), 8);
  assert.equal(estimate('unheard-of', 1, 2), undefined);
  assert.equal(estimate('write', 3, 2), 0);
});

test('phases that an earlier attempt has done take no time', () => {
  let ms = 0;
  const estimate = estimateTimeLeft(phases, () => ms);
  assert.equal(estimate('cut', 1, 2), undefined); // 64 % are done, but not by this process
  ms = 14_000;
  assert.equal(estimate('cut', 3, 4), 22);
});

test('without shares nothing is foretold', () => {
  const estimate = estimateTimeLeft(
    { read: { unit: 'bytes' }, write: { unit: 'layers', share: 0.5 } },
    () => 0,
  );
  assert.equal(estimate('write', 1, 1), undefined);
});

test('the shares of each job type add up to the whole', () => {
  let known = 0;
  for (const { name, phases: own } of Object.values(catalog)) {
    if (own === undefined || !hasShares(own)) continue;
    known++;
    const sum = Object.values(own).reduce((total, { share }) => total + share!, 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, `${name}: ${sum}`);
  }
  assert.ok(known >= 3);
});
