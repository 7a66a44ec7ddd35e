import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicationOf } from './publication-of-task.ts';

const schedule = { type: 'immediate' } as const;

test('the fields of a task can be sent again', () => {
  const options = { appId: 'a', credentialsId: 'c', destination: 'maps/city', gzip: true };
  assert.deepEqual(publicationOf({ schedule, parameters: { options } }), {
    credentialsId: 'c',
    destination: 'maps/city',
    gzip: true,
    schedule,
  });
});

test('without its parameters nothing is made up', () => {
  assert.equal(publicationOf({ schedule }), undefined);
  assert.equal(publicationOf({ schedule, parameters: { options: {} } }), undefined);
});
