import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLocalInput, toLocalInput } from './local-time.ts';

test('an instant shown in a field is read as the same minute', () => {
  const instant = '2026-07-04T18:05:00.000Z';
  assert.match(toLocalInput(instant), /^2026-07-0[345]T\d\d:\d\d$/);
  assert.equal(fromLocalInput(toLocalInput(instant)), instant);
});

test('an empty or invalid time is an empty field and no instant', () => {
  assert.equal(toLocalInput(undefined), '');
  assert.equal(toLocalInput('soon'), '');
  assert.equal(fromLocalInput(''), undefined);
  assert.equal(fromLocalInput('2026-13-40T99:00'), undefined);
});
