import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import type { NewDatasource } from '@platen/contract/datasources';
import { startService } from '../testing.ts';

const { admin } = await startService();
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };
const url = 'https://maps.example.org/a';
const make = (type: NewDatasource['type'], typeProperties: Record<string, unknown> = {}) =>
  admin.postProjectDatasource({
    params,
    body: { name: type, type, typeProperties, sourceProperties: { type: 'external', url: `${url}/${type}` } },
  });
const refusedAt = (pointer: string, detail: RegExp) => (error: RequestFailed) => {
  assert.deepEqual([error.status, error.errors[0]!.pointer], [422, pointer]);
  assert.match(error.errors[0]!.detail, detail);
  return true;
};

const { _id: terrain } = await make('qmesh', { requestVertexNormals: true });
const { _id: tileset } = await make('tileset');

test('misspelt options are kept, with a warning that names the nearest one; own keys pass', async () => {
  const typeProperties = {
    opactiy: 0.5,
    minLevel: 1,
    myOwnNote: 'kept',
    bgcolor: '#fff',
    extent: { coordinates: [0, 0, 1, 1], projektion: { epsg: 4326 } },
  };
  const made = await make('wms', typeProperties);
  assert.deepEqual(made.typeProperties, typeProperties);
  const question = (name: string) => `The map viewer does not know this option. Did you mean ${name}?`;
  assert.deepEqual(made.warnings, [
    { pointer: '/typeProperties/opactiy', code: 'ignored', detail: question('opacity') },
    { pointer: '/typeProperties/extent/projektion', code: 'ignored', detail: question('projection') },
  ]);
  const path = { projectId, datasourceId: made._id };
  assert.deepEqual(await admin.getProjectDatasource({ params: path }), made);
  const same = await admin.putProjectDatasource({ params: path, body: made });
  assert.deepEqual([same.revision, same.warnings], [made.revision, made.warnings]);
  const body = { typeProperties: { opacity: 0.5 } };
  const query = { overwriteParameters: true };
  const corrected = await admin.putProjectDatasource({ params: path, query, body });
  assert.deepEqual(corrected.warnings, []);
});

test('options that name another datasource are refused if it is missing or of another type', async () => {
  for (const [type, option, fitting, other] of [
    ['tilesetupdate', 'baseDatasourceId', tileset, terrain],
    ['meshinmesh', 'baseDatasourceId', terrain, tileset],
    ['oblique', 'terrainDatasourceId', terrain, tileset],
  ] as const) {
    const pointer = `/typeProperties/${option}`;
    await assert.rejects(make(type, { [option]: 'nowhere' }), refusedAt(pointer, /no such datasource/));
    await assert.rejects(make(type, { [option]: other }), refusedAt(pointer, /It must be/));
    const { _id: datasourceId } = await make(type, { [option]: fitting });
    const change = { params: { projectId, datasourceId }, body: { typeProperties: { [option]: other } } };
    await assert.rejects(admin.putProjectDatasource(change), refusedAt(pointer, /It must be/));
  }
});

test('oblique images get the terrain that they name, and a module follows it', async () => {
  const { _id: datasourceId } = await make('oblique', { terrainDatasourceId: terrain });
  const { dataSets, ...collection } = await admin.getProjectDatasourceConfig({
    params: { projectId, datasourceId },
  });
  const terrainProvider = { datasourceId: terrain, url: `${url}/qmesh`, requestVertexNormals: true };
  assert.deepEqual(dataSets, [{ url: `${url}/oblique`, terrainProvider }]);
  assert.equal('terrainDatasourceId' in collection, false);
  const { _id } = await admin.postProjectModule({
    params,
    body: { name: 'M', obliqueCollections: [{ ...collection, dataSets }] },
  });
  const used = await admin.getProjectDatasourceUsedBy({ params: { projectId, datasourceId: terrain } });
  assert.deepEqual(
    used.items.map((item) => item._id),
    [_id],
  );
});
