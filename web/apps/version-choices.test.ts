import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionChoices } from './version-choices.ts';

test('of each major version the newest is offered to follow, and each version to stay with', () => {
  const ranges = versionChoices(['6.3.5', '6.1.0', '5.4.1']).map(({ range }) => range);
  assert.deepEqual(ranges, ['^6', '~6.3', '^5', '~5.4', '6.3.5', '6.1.0', '5.4.1']);
});

test('without an installed map viewer nothing is offered', () => {
  assert.deepEqual(versionChoices([]), []);
});
