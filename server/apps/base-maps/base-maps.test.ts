import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BaseMap } from '@platen/contract/base-maps';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin } = service;
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };

const baseMap = (id: string, name: string): BaseMap => ({
  id,
  name,
  type: 'xyz',
  url: `https://${id}.example.org/{z}/{x}/{y}.png`,
  attribution: { text: name },
});
const newApp = (body: object = {}) => admin.postProjectApp({ params, body: { name: 'Map', ...body } });
const offered = async () => {
  const { items } = await admin.getProjectBaseMaps({ params });
  return items.map(({ id, from, name }) => (name === undefined ? [id, from] : [id, from, name]));
};
const world = [
  ['world-light', 'world'],
  ['world-grey', 'world'],
  ['world-dark', 'world'],
];

test('an app chooses among the base maps of its project and of the service', async () => {
  assert.deepEqual((await newApp()).baseMaps, []);
  assert.deepEqual(await offered(), world);
  const ofService = [baseMap('state', 'Map of the state'), baseMap('city', 'Map of the region')];
  await admin.putAdminSettings({ body: { baseMaps: ofService } });
  await admin.putProject({ params, body: { baseMaps: [baseMap('city', 'Map of the city')] } });
  assert.deepEqual((await admin.getAdminSettings()).baseMaps, ofService);
  assert.deepEqual(await offered(), [
    ['city', 'project', 'Map of the city'],
    ['state', 'service', 'Map of the state'],
    ...world,
  ]);
  const app = await newApp();
  assert.deepEqual(app.baseMaps, ['city', 'state']); // all that the project and the service have
  assert.deepEqual((await newApp({ baseMaps: ['world-grey'] })).baseMaps, ['world-grey']);
  const path = { ...params, appId: app._id };
  const changed = await admin.putProjectApp({ params: path, body: { baseMaps: ['world-dark', 'state'] } });
  assert.deepEqual(changed.baseMaps, ['world-dark', 'state']);
  await assert.rejects(
    admin.putProjectApp({ params: path, body: { baseMaps: ['state', 'moon'] } }),
    ({ status, message }: { status: number; message: string }) =>
      status === 422 && /\/baseMaps\/1: .* id moon/.test(message),
  );
  await admin.putAdminSettings({ body: { baseMaps: [] } });
  await admin.putProjectApp({ params: path, body: { baseMaps: ['state'] } }); // it may stay, although it is gone
  await assert.rejects(newApp({ baseMaps: ['state'] }), { status: 422 });
});

test('a project is refused what no map can show', async () => {
  const change = (body: object) => admin.putProject({ params, body });
  const { url: _, ...nowhere } = baseMap('city', 'City');
  await assert.rejects(change({ baseMaps: [nowhere] }), /\/baseMaps\/0\/url/);
  await assert.rejects(change({ baseMaps: [{ ...baseMap('City', 'City') }] }), /\/baseMaps\/0\/id/);
  const own = { id: 'own', name: 'Own', type: 'datasource' } as const;
  await assert.rejects(
    change({ baseMaps: [{ ...own, datasourceId: 'none' }] }),
    /\/baseMaps\/0\/datasourceId: There is no such datasource in this project/,
  );
  const source = { type: 'external', url: 'https://data.example.org/a.json' } as const;
  const make = (type: 'geojson' | 'tms') =>
    admin.postProjectDatasource({ params, body: { name: type, type, sourceProperties: source } });
  const { _id: places } = await make('geojson');
  await assert.rejects(change({ baseMaps: [{ ...own, datasourceId: places }] }), /geojson makes no base map/);
  const { _id: tiles } = await make('tms');
  const baseMaps = [{ ...own, datasourceId: tiles }];
  assert.deepEqual((await change({ baseMaps })).baseMaps, baseMaps);
  const elsewhere = { name: 'Elsewhere', description: '', bbox: [0, 0, 1, 1], baseMaps };
  await assert.rejects(admin.postProject({ body: elsewhere }), { status: 422 });
});
