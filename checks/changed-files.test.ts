import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachOf } from './changed-files.ts';
import { readSourceGraph } from './source-graph.ts';
import { testFiles } from './test-files.ts';

const graph = readSourceGraph();
const tests = testFiles([]);
const reached = (path: string) => reachOf([path], graph, tests).tests;

test('a change reaches the tests of what imports it, directly or not', () => {
  const files = reached('geo/mvt/read-tile.ts');
  assert.ok(files.includes('geo/mvt/read-tile.test.ts'));
  assert.ok(files.some((file) => file.startsWith('processing/')));
  assert.ok(!files.some((file) => file.startsWith('web/')));
});

test('a change reaches the tests of the code that imports it, not those of the whole service', () => {
  const files = reached('server/project/search/operations.ts').filter((file) => file.startsWith('server/'));
  assert.ok(files.includes('server/project/search/search.test.ts'));
  assert.ok(files.length < 20, files.join());
});

test('a change of the database, of what starts the service or of the packages reaches all that uses it', () => {
  const ofServer = (path: string) => reached(path).filter((file) => file.startsWith('server/')).length;
  const all = testFiles(['server']).length;
  assert.ok(ofServer('server/testing.ts') > 0.7 * all);
  assert.ok(ofServer('server/base/database/migrations/0001_anything.sql') > 0.7 * all);
  assert.deepEqual(reached('package-lock.json'), tests);
});

test('a component reaches the tests in a browser, a helper of those of the whole the tests that use it', () => {
  assert.ok(reached('web/ui/DataTable.vue').includes('web/components.test.ts'));
  const files = reached('e2e/testing-slow-link.ts').filter((file) => file.startsWith('e2e/'));
  assert.ok(files.length > 0 && files.length < 10, files.join());
});
