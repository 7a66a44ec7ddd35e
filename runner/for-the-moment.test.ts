import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestFailed } from '@platen/client/client';
import { FailedForTheMoment, troubleOf } from './for-the-moment.ts';
import { JobFailed } from './job-failed.ts';

const refused = (status: number) => new RequestFailed(status, {});
const told = (error: unknown) => {
  const { code, isTransient } = troubleOf(error);
  return [code, isTransient];
};

test('what lies in between is trouble for the moment, what lies in the job is not', () => {
  assert.deepEqual(told(refused(503)), ['cannotTransfer', true]);
  assert.deepEqual(told(refused(429)), ['cannotTransfer', true]);
  assert.deepEqual(told(refused(507)), ['cannotTransfer', false]);
  assert.deepEqual(told(refused(422)), ['cannotTransfer', false]);
  assert.deepEqual(told(new TypeError('fetch failed')), ['cannotTransfer', true]);
  assert.deepEqual(told(new FailedForTheMoment('cannotFetch', '')), ['cannotFetch', true]);
  assert.deepEqual(told(new JobFailed('cannotFetch', '')), ['cannotFetch', false]);
  assert.deepEqual(told(new JobFailed('scratchFull', '')), ['scratchFull', true]);
  assert.deepEqual(told(Object.assign(new Error('write'), { code: 'ENOSPC' })), ['scratchFull', true]);
  assert.deepEqual(told(new JobFailed('brokenJson', '')), ['brokenJson', false]);
  assert.deepEqual(told(new JobFailed('outOfMemory', '')), ['outOfMemory', false]);
  assert.deepEqual(told(new Error('a bug of the runner')), ['runnerTrouble', true]);
});
