import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterQuery } from './job-filters.ts';

const now = Date.parse('2026-03-01T12:00:30.500Z');

test('the URL of the page becomes a query of the API', () => {
  assert.deepEqual(
    filterQuery(
      {
        state: 'failed',
        type: 'platenTilesVector',
        task: 't1',
        label: 'nacht',
        time: 'day',
        warnings: 'yes',
        rejects: 'yes',
      },
      now,
    ),
    {
      state: ['failed'],
      jobType: ['platenTilesVector'],
      taskId: ['t1'],
      label: ['nacht'],
      createdAt: ['2026-02-28T12:00:00.000Z/..'],
      hasWarnings: true,
      hasRejected: true,
    },
  );
});

test('invalid filter values are ignored', () => {
  assert.deepEqual(filterQuery({ state: 'lost', time: 'toString', warnings: 'no', label: '' }, now), {});
});

test('within a minute the query stays the same', () => {
  assert.deepEqual(filterQuery({ time: 'hour' }, now), filterQuery({ time: 'hour' }, now + 20_000));
});
