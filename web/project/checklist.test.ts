import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectSummary } from '@platen/contract/projects';
import { checklistOf } from './checklist.ts';

const nothing: ProjectSummary = {
  members: 1,
  dataBuckets: 1,
  objects: 0,
  files: 0,
  bytes: 0,
  datasources: 0,
  tasks: 0,
  jobs: 0,
  modules: 0,
  apps: 0,
  publicApps: 0,
  scenarios: 0,
  credentials: 0,
  numberOfUsers: 1,
  numberOfDatasources: 0,
  numberOfDatabases: 0,
};
const outcomeOf = (change: Partial<ProjectSummary>) => {
  const { steps, next, isComplete } = checklistOf({ ...nothing, ...change });
  return [steps.filter(({ isDone }) => isDone).map(({ name }) => name), next, isComplete];
};

test('an empty project begins with data', () => {
  assert.deepEqual(outcomeOf({}), [[], 'upload', false]);
});

test('steps skipped on the way to a finished one count as done', () => {
  assert.deepEqual(outcomeOf({ datasources: 1, apps: 1 }), [['upload', 'publish'], 'share', false]);
});

test('a public app completes it', () => {
  assert.deepEqual(outcomeOf({ files: 3, datasources: 1, modules: 1, apps: 1, publicApps: 1 }), [
    ['upload', 'publish', 'share'],
    undefined,
    true,
  ]);
});
