import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addDatasource } from '../../apps/modules/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin } = service;
const max = await service.user('max');
const mia = await service.user('mia');
const gil = await service.user('gil');
const olga = await service.user('olga');
const makeProject = (name: string) =>
  admin.postProject({
    body: { name, description: '', bbox: [-180, -85, 180, 85] },
    query: { managerId: max.id },
  });
const { _id: projectId, defaultDataBucketId: dataBucketId } = await makeProject('Trees of the city');
const params = { projectId };
const other = await makeProject('Old trees');
await max.client.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectMember' } });
const { _id: appId } = await max.client.postProjectApp({ params, body: { name: 'Street trees' } });
await max.client.postProjectModule({ params, body: { name: 'Schöne Bäume (trees)' } });
await addDatasource(service, projectId);
await max.client.postProjectDataBucket({ params, body: { name: 'Backtrees' } });
for (const key of ['plans/trees.geojson', 'trees/readme.txt'])
  await max.client.postProjectDataBucketObject({ params: { projectId, dataBucketId }, query: { key } });
await max.client.putIamRole({
  params: { roleId: 'appGuest', resourceId: appId },
  query: { principalIds: [gil.id] },
});

interface Query {
  readonly text: string;
  readonly limit?: number;
  readonly projectId?: string;
}
const find = async (who: { client: typeof admin }, query: Query) =>
  (await who.client.getSearch({ query })).items;
const seen = async (who: { client: typeof admin }, query: Query) =>
  (await find(who, query)).map(({ kind, name }) => `${kind} ${name}`);

test('names that start with the text precede names with such a word, then names that contain it', async () => {
  assert.deepEqual(await seen(max, { text: 'tREEs' }), [
    'datasource trees',
    'file trees.geojson',
    'project Trees of the city',
    'project Old trees',
    'app Street trees',
    'module Schöne Bäume (trees)',
    'dataBucket Backtrees',
  ]);
  assert.deepEqual(await seen(max, { text: ' bÄume ' }), ['module Schöne Bäume (trees)']);
  assert.deepEqual(await seen(max, { text: 'Street trees', limit: 1 }), ['app Street trees']);
  for (const text of ['%', '_', '\\', "'", '   ', 'tree%s']) assert.deepEqual(await seen(max, { text }), []);
});

test('a hit says where it is', async () => {
  const [file] = await find(max, { text: 'trees.geo' });
  const { id, ...rest } = file!;
  assert.match(id, /^\w+$/);
  const key = 'plans/trees.geojson';
  const place = { projectId, projectName: 'Trees of the city', dataBucketId, key };
  assert.deepEqual(rest, { kind: 'file', name: 'trees.geojson', ...place, detail: 'plans' });
  assert.deepEqual(await seen(max, { text: 'trees/r' }), ['file readme.txt']);
  const [datasource] = await find(max, { text: 'trees', limit: 1 });
  assert.deepEqual([datasource!.projectId, datasource!.detail], [projectId, 'geojson']);
  assert.deepEqual(await seen(max, { text: 'trees', projectId: other._id }), []);
});

test('hidden resources are not found', async () => {
  // members may not list files, nor see the project that they are not in
  const member = await seen(mia, { text: 'trees' });
  assert.deepEqual(member, [
    'datasource trees',
    'project Trees of the city',
    'app Street trees',
    'module Schöne Bäume (trees)',
    'dataBucket Backtrees',
  ]);
  assert.deepEqual(await seen(mia, { text: 'trees', projectId: other._id }), []);
  const [app, ...none] = await find(gil, { text: 'trees' });
  assert.deepEqual([app, none], [{ kind: 'app', id: appId, name: 'Street trees', projectId }, []]);
  assert.deepEqual(await seen(olga, { text: 'trees' }), []);
  assert.deepEqual(await seen(olga, { text: 'max' }), []);
  assert.deepEqual(await seen({ client: admin }, { text: 'MAX' }), ['user max']);
  const all = await seen({ client: admin }, { text: 'trees' });
  assert.ok(all.includes('file trees.geojson') && all.includes('project Old trees'));
  await max.client.deleteProjectUser({ params: { projectId, userId: mia.id } });
  assert.deepEqual(await seen(mia, { text: 'trees' }), []);
});

test('with a hundred thousand files a search looks at them once, and puts few in order', async (t) => {
  const { db } = service.context;
  // without counters of a hundred thousand folders, which a search does not read
  await sql`alter table object disable trigger user`.execute(db);
  await sql`insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type, created_at, created_by,
      updated_at, updated_by)
    select o.project_id, o.bucket_id, 'tiles/' || n || '/Kachel_' || n || '.pbf', o.blob_id, 0, o.sha256, o.content_type,
      now(), '', now(), ''
    from object o, generate_series(1, 100000) n where o.key = 'plans/trees.geojson'`.execute(db);
  await sql`alter table object enable trigger user`.execute(db);
  await sql`analyze object`.execute(db);
  const times: number[] = [];
  for (const text of ['kachel_99', 'KACHEL', 'nowhere', 'trees', 'tiles/99']) {
    const began = performance.now();
    const hits = await find(max, { text });
    times.push(performance.now() - began);
    assert.equal(hits.length > 0, text !== 'nowhere', text);
    assert.ok(hits.length <= 20);
  }
  t.diagnostic(`${times.map(Math.round).join(', ')} ms`);
  // 25 ms on a machine that does nothing else
  assert.ok(
    times.every((ms) => ms < 1000),
    times.join(', '),
  );
});
