import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDraft, firstParameters, createsDatasourceEachRun, newTaskOf } from './task-draft.ts';

const input = { dataBucketId: 'b', dataBucketKey: 'city/Straßen 2026.geojson' };
const tiles = { jobType: 'platenTilesVector', datasourceTypes: ['vectortiles'] };

test('a task of a file begins with the file, a datasource of its name and what was suggested', () => {
  const options = { input: { type: 'internal', ...input, crs: 'EPSG:25832' }, tiling: { preset: 'city' } };
  const suggestion = { jobType: 'otherTilesVector', options } as never;
  assert.deepEqual(firstParameters(tiles, input, { suggestion }), {
    datasource: { command: 'create', name: 'Straßen 2026' },
    options,
  });
});

test('suggestions for another job type are ignored, and types that make files name no datasource', () => {
  const suggestion = { jobType: 'platenTilesVector', options: { tiling: {} } } as never;
  const fetch = { jobType: 'platenFetchUrl', datasourceTypes: [] };
  assert.deepEqual(firstParameters(fetch, undefined, { suggestion }), { options: {} });
});

test('files beside the input are inputs, too, whichever job type is chosen', () => {
  const world = { type: 'internal', dataBucketId: 'b', dataBucketKey: 'city/a.jgw' };
  const { options } = firstParameters(tiles, input, { companions: ['city/a.jgw'] }) as { options: object };
  assert.deepEqual(options, { input: [{ type: 'internal', ...input }, world] });
});

test('without its own time zone a task has the one of the service', () => {
  assert.equal('timeoutSeconds' in newTaskOf('x', emptyDraft), false);
  assert.equal(newTaskOf('x', { ...emptyDraft, timeoutSeconds: 60 }).timeoutSeconds, 60);
});

test('a task that repeats and creates makes another datasource at each run', () => {
  const schedule = { type: 'cron', cron: '@daily' } as const;
  assert.equal(
    createsDatasourceEachRun({ schedule, parameters: { datasource: { command: 'create' } } }),
    true,
  );
  assert.equal(
    createsDatasourceEachRun({ schedule, parameters: { datasource: { command: 'update' } } }),
    false,
  );
  assert.equal(
    createsDatasourceEachRun({
      schedule: { type: 'immediate' },
      parameters: { datasource: { command: 'create' } },
    }),
    false,
  );
  assert.equal(createsDatasourceEachRun({ schedule, parameters: { options: {} } }), false);
});
