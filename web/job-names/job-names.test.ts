import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jobStates } from '@platen/contract/jobs';

test('every state of a job has a name', () => {
  for (const language of ['en', 'de']) {
    const file = new URL(`locales/${language}.json`, import.meta.url);
    const { states } = JSON.parse(readFileSync(file, 'utf8')) as { states: Record<string, string> };
    assert.deepEqual(Object.keys(states), [...jobStates]);
  }
});
