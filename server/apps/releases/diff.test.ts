import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { newPlace, write } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { newMap, newModule } from './testing.ts';

const service = await startService();
const { admin } = service;
const place = await newPlace(service);
const notThere = (error: RequestFailed) => error.status === 404;

test('a diff covers modules, the app and the data, between releases and with the draft', async () => {
  const { params, moduleId: first, ids } = await newMap(service, place, ['one', 'two']);
  const second = await newModule(admin, place, { two: ids['two']! });
  const third = await newModule(admin, place, {});
  await admin.putProjectApp({ params, body: { moduleIds: [first, second._id, third._id] } });
  const released = () => admin.postProjectAppRelease({ params, body: {} });
  const one = await released();
  const diff = (releaseId: string, other?: string) =>
    admin.getProjectAppReleaseDiff({
      params: { ...params, releaseId },
      ...(other !== undefined && { query: { with: other } }),
    });
  await assert.rejects(diff('1'), notThere, 'there is none before the first');
  for (const other of ['7', 'current', '0', one._id.slice(1), `${'9'.repeat(20)}`])
    await assert.rejects(diff('1', other), notThere, other);
  assert.equal((await diff('1', '1')).isEqual, true);
  assert.equal((await diff('1', 'draft')).isEqual, true);

  await admin.putProjectModule({
    params: { ...params, moduleId: first },
    body: { layers: [{ type: 'GeoJSONLayer', name: 'one', datasourceId: ids['one'], opacity: 0.5 }] },
  });
  await write(admin, place, { 'two.geojson': 'other' });
  const fourth = await newModule(admin, place, {});
  await admin.putProjectApp({
    params,
    body: { name: 'Renamed', moduleIds: [second._id, first, fourth._id] },
  });
  const draft = await diff('1', 'draft');
  const two = await released();
  const { before, after, ...rest } = await diff(two._id);
  assert.deepEqual([before.number, after.number], [1, 2]);
  assert.deepEqual(draft, { before, after: {}, ...rest }, 'what was the draft is the release');
  assert.equal(rest.isEqual, false);
  assert.deepEqual(rest.app, [{ pointer: '/name', change: 'changed', before: '"Map"', after: '"Renamed"' }]);
  assert.deepEqual(rest.datasources, [{ datasourceId: ids['two'], before: 1, after: 2 }]);
  assert.deepEqual(
    rest.modules.map(({ moduleId, changes, before: from, after: to }) => [moduleId, changes, from, to]),
    [
      [third._id, ['removed'], 2, undefined],
      [second._id, ['moved'], 1, 0],
      [first, ['changed'], 0, 1],
      [fourth._id, ['added'], undefined, 2],
    ],
  );
  const { differences } = rest.modules.find(({ moduleId }) => moduleId === first)!;
  assert.deepEqual(
    differences.map(({ pointer, change, name }) => [pointer, change, name]),
    [
      ['/layers/1', 'removed', 'two'],
      ['/layers/0/opacity', 'added', undefined],
    ],
  );
});
