import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog } from '@platen/processing/catalog';
import { runs } from '@platen/processing/runs';
import { runnerJobs } from './runner-jobs.ts';

test('each job type is run either by the runner or by a process, as its description says', () => {
  const specs = Object.values(catalog);
  const names = (isRunner: boolean) =>
    specs.filter(({ runsIn }) => (runsIn === 'runner') === isRunner).map(({ name }) => name);
  assert.deepEqual(Object.keys(runnerJobs).toSorted(), names(true).toSorted());
  assert.deepEqual(Object.keys(runs).toSorted(), names(false).toSorted());
});
