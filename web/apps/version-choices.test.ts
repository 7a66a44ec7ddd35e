import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionChoices } from './version-choices.ts';

test('the newest version of each major version is offered to follow, and each version to pin', () => {
  const ranges = versionChoices(['6.3.5', '6.1.0', '5.4.1']).map(({ range }) => range);
  assert.deepEqual(ranges, ['^6', '~6.3', '^5', '~5.4', '6.3.5', '6.1.0', '5.4.1']);
});

test('without an installed map viewer nothing is offered', () => {
  assert.deepEqual(versionChoices([]), []);
});
