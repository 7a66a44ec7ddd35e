import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestFailed } from '@platen/client/client';
import { EgressError } from '@platen/egress/errors';
import { TransientError, failureReportOf } from './transient-error.ts';
import { JobFailure } from '@platen/processing/job-type';

const refused = (status: number) => new RequestFailed(status, {});
const reportOf = (error: unknown) => {
  const { code, isTransient } = failureReportOf(error);
  return [code, isTransient];
};

test('errors of the network are transient, errors of the job are not', () => {
  assert.deepEqual(reportOf(refused(503)), ['cannotTransfer', true]);
  assert.deepEqual(reportOf(refused(429)), ['cannotTransfer', true]);
  assert.deepEqual(reportOf(refused(507)), ['cannotTransfer', false]);
  assert.deepEqual(reportOf(refused(422)), ['cannotTransfer', false]);
  assert.deepEqual(reportOf(new TypeError('fetch failed')), ['cannotTransfer', true]);
  assert.deepEqual(reportOf(new TransientError('cannotFetch', '')), ['cannotFetch', true]);
  assert.deepEqual(reportOf(new JobFailure('cannotFetch', '')), ['cannotFetch', false]);
  assert.deepEqual(reportOf(new EgressError('badUrl', '')), ['badUrl', false]);
  const offline = new EgressError('cannotFetch', '', { isTransient: true });
  assert.deepEqual(reportOf(offline), ['cannotFetch', true]);
  assert.deepEqual(reportOf(new JobFailure('scratchFull', '')), ['scratchFull', true]);
  assert.deepEqual(reportOf(Object.assign(new Error('write'), { code: 'ENOSPC' })), ['scratchFull', true]);
  assert.deepEqual(reportOf(new JobFailure('brokenJson', '')), ['brokenJson', false]);
  assert.deepEqual(reportOf(new JobFailure('outOfMemory', '')), ['outOfMemory', false]);
  assert.deepEqual(reportOf(new Error('a bug of the runner')), ['runnerTrouble', true]);
});
