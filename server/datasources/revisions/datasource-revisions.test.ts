import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { startService } from '../../testing.ts';
import {
  hundredTiles,
  makeRunner,
  newPlace,
  read,
  register,
  tilesOf,
  write,
  type BucketPath,
} from '../../files/revisions/testing.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, context, user } = service;
const minute = 60_000;

const revisionsOf = async ({ projectId }: BucketPath, datasourceId: string) =>
  (await admin.getProjectDatasourceRevisions({ params: { projectId, datasourceId } })).items;
const causesOf = async (place: BucketPath, id: string) =>
  (await revisionsOf(place, id)).map(({ cause }) => cause);
const restore = ({ projectId }: BucketPath, datasourceId: string, revision: number) =>
  admin.postProjectDatasourceRevisionRestore({
    params: { projectId, datasourceId, revision: String(revision) },
  });

const oldTiles = Object.values(hundredTiles('old'));
const newTiles = Object.values(hundredTiles('new'));

test('each run of a job in its own folder is a revision, and the first can be served again', async () => {
  const place = await newPlace(service);
  const runner = await makeRunner(service, place);
  const { projectId } = place;
  const first = await runner.run({
    command: { command: 'create', name: 'Tiles' },
    files: hundredTiles('old'),
    typeProperties: { minZoom: 1 },
  });
  const { datasourceId } = first;
  const params = { projectId, datasourceId };
  const before = await admin.getProjectDatasource({ params });
  await runner.run({
    command: { command: 'overwrite', datasourceId },
    files: hundredTiles('new'),
    typeProperties: { minZoom: 2 },
  });
  assert.deepEqual(await causesOf(place, datasourceId), ['job', 'job']);
  const between = await admin.getProjectDatasource({ params });
  assert.equal(between.dataRevision, 2);
  assert.deepEqual(await tilesOf(service, datasourceId, 1), oldTiles);
  const restored = await restore(place, datasourceId, 1);
  assert.deepEqual(restored.typeProperties, { minZoom: 1 });
  assert.deepEqual(restored.sourceProperties, before.sourceProperties);
  assert.equal(restored.dataRevision, 3);
  assert.ok(restored.revision > between.revision);
  assert.deepEqual(await causesOf(place, datasourceId), ['restored', 'job', 'job']);
  assert.deepEqual(await tilesOf(service, datasourceId, 3), oldTiles);
  assert.deepEqual(await restore(place, datasourceId, 3), restored, 'what is served now is served on');
  await assert.rejects(restore(place, datasourceId, 9), { status: 404 });
});

test('a revision that was overwritten in place is restored with its files, and later ones go to the trash', async () => {
  const place = await newPlace(service);
  const runner = await makeRunner(service, place);
  const command = { command: 'create', name: 'Tiles' } as const;
  const { datasourceId } = await runner.run({ command, prefix: 'town', files: hundredTiles('old') });
  const again = { command: 'overwrite', datasourceId } as const;
  const files = { ...hundredTiles('new'), 'tiles/8/0/0.pbf': 'only of the second' };
  await runner.run({ command: again, prefix: 'town', files });
  await restore(place, datasourceId, 1);
  assert.equal(await read(admin, place, 'town/tiles/7/3/0.pbf'), 'old 3');
  assert.equal(await read(admin, place, 'town/tiles/8/0/0.pbf'), 404);
  assert.deepEqual(await tilesOf(service, datasourceId, 2), newTiles);
  const { items } = await admin.getProjectTrash({ params: place });
  assert.deepEqual(
    items.map(({ type, name, numberOfFiles }) => [type, name, numberOfFiles]),
    [['folder', 'town/tiles/', 1]],
  );
  assert.deepEqual(await causesOf(place, datasourceId), ['restored', 'job', 'job']);
  await restore(place, datasourceId, 2);
  assert.equal(await read(admin, place, 'town/tiles/7/3/0.pbf'), 'new 3');
});

test('overwritten files are restored only if they fit the quota', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'set/a.txt': 'one', 'set/b.txt': 'same' });
  const { _id: datasourceId } = await register(service, place, 'set/');
  await write(admin, place, { 'set/a.txt': 'two', 'set/b.txt': 'same' });
  const setQuota = (bytes: number) =>
    admin.putProject({ params: { projectId: place.projectId }, body: { quota: { bytes } } });
  await setQuota(12);
  await assert.rejects(restore(place, datasourceId, 1), { status: 507, code: 'storage_full' });
  assert.equal(await read(admin, place, 'set/a.txt'), 'two');
  await setQuota(13);
  await restore(place, datasourceId, 1);
  assert.equal(await read(admin, place, 'set/a.txt'), 'one');
  const { current, revisions } = await admin.getProjectUsage({ params: place });
  assert.deepEqual([current.bytes, revisions.bytes], [7, 6]);
});

test('files added to a folder since then remain if another datasource serves them', async () => {
  const place = await newPlace(service);
  const runner = await makeRunner(service, place);
  const command = { command: 'create', name: 'Tiles' } as const;
  const { datasourceId } = await runner.run({ command, prefix: 'city', files: hundredTiles('old') });
  const again = { command: 'overwrite', datasourceId } as const;
  const files = { ...hundredTiles('new'), 'tiles/8/0/0.pbf': 'only of the second' };
  await runner.run({ command: again, prefix: 'city', files });
  const { _id: other } = await register(service, place, 'city/tiles');
  await restore(place, datasourceId, 1);
  assert.equal(await read(admin, place, 'city/tiles/8/0/0.pbf'), 'only of the second');
  await admin.deleteProjectDatasource({ params: { projectId: place.projectId, datasourceId: other } });
  await restore(place, datasourceId, 2);
  await restore(place, datasourceId, 1);
  assert.equal(await read(admin, place, 'city/tiles/8/0/0.pbf'), 404);
});

test('a revision whose data is missing or cleaned up is not partially restored', async () => {
  const place = await newPlace(service);
  const runner = await makeRunner(service, place);
  const command = { command: 'create', name: 'Tiles' } as const;
  const { datasourceId } = await runner.run({ command, prefix: 'town', files: hundredTiles('old') });
  const again = { command: 'overwrite', datasourceId } as const;
  await runner.run({ command: again, prefix: 'town', files: hundredTiles('new') });
  const { dataBucketId } = place;
  await sql`delete from object_revision r using object o where o.id = r.object_id
    and o.bucket_id = ${dataBucketId} and o.key = 'town/tiles/7/5/0.pbf'`.execute(context.db);
  await assert.rejects(restore(place, datasourceId, 1), {
    status: 409,
    message: /one file .* removed by a clean-up/,
  });
  assert.equal(await read(admin, place, 'town/tiles/7/3/0.pbf'), 'new 3');
  const query = { key: 'town/', force: true };
  await admin.deleteProjectDataBucketObject({ params: place, query });
  await assert.rejects(restore(place, datasourceId, 1), { status: 409, message: /trash/ });
  assert.deepEqual(new Set(await tilesOf(service, datasourceId, 1)), new Set(['absent']));
});

test('uploads over served files are one revision, until five minutes pass without any', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'town/a.json': '1', 'town/b.json': '1', 'other/a.json': '1', 'one.json': '1' });
  const folder = await register(service, place, 'town/');
  const file = await register(service, place, 'one.json');
  await write(admin, place, { 'other/a.json': '2' });
  assert.deepEqual(await causesOf(place, folder._id), ['created']);
  for (const text of ['2', '3', '4']) await write(admin, place, { 'town/a.json': text, 'town/b.json': text });
  assert.deepEqual(await causesOf(place, folder._id), ['files', 'created']);
  assert.deepEqual(await causesOf(place, file._id), ['created']);
  await write(admin, place, { 'town/a.json': '4', 'one.json': '2' });
  assert.deepEqual(await causesOf(place, file._id), ['files', 'created']);
  const params = { projectId: place.projectId, datasourceId: folder._id };
  const before = await admin.getProjectDatasource({ params });
  assert.ok(before.dataUpdatedAt > folder.dataUpdatedAt);
  offsetMs += 4 * minute;
  await write(admin, place, { 'town/a.json': '5' });
  const touched = await admin.getProjectDatasource({ params });
  assert.equal(touched.dataRevision, 2);
  assert.ok(touched.dataUpdatedAt > before.dataUpdatedAt && touched.revision > before.revision);
  offsetMs += 6 * minute;
  await write(admin, place, { 'town/a.json': '6' });
  assert.deepEqual(await causesOf(place, folder._id), ['files', 'files', 'created']);
  await restore(place, folder._id, 1);
  assert.equal(await read(admin, place, 'town/a.json'), '1');
  assert.equal(await read(admin, place, 'town/b.json'), '1');
});

test('two hundred simultaneous uploads into a served folder do not deadlock', async () => {
  const place = await newPlace(service);
  const keys = Array.from({ length: 50 }, (_, n) => `town/${n}.json`);
  await write(admin, place, Object.fromEntries(keys.map((key) => [key, 'before'])));
  const { _id } = await register(service, place, 'town/');
  await Promise.all(
    keys.flatMap((key) => [1, 2, 3, 4].map((n) => write(admin, place, { [key]: `${key} ${n}` }))),
  );
  assert.deepEqual(await causesOf(place, _id), ['files', 'created']);
});

test('a change of the place makes a revision, a change of words does not, and both can be restored', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'one.json': '1', 'two.json': '2' });
  const { _id: datasourceId } = await register(service, place, 'one.json');
  const params = { projectId: place.projectId, datasourceId };
  await admin.putProjectDatasource({ params, body: { name: 'Other', properties: { a: 1 } } });
  assert.deepEqual(await causesOf(place, datasourceId), ['created']);
  const sourceProperties = {
    type: 'internal',
    dataBucketId: place.dataBucketId,
    dataBucketKey: 'two.json',
  } as const;
  await admin.putProjectDatasource({ params, body: { sourceProperties, properties: { b: 2 } } });
  assert.deepEqual(await causesOf(place, datasourceId), ['changed', 'created']);
  const { name, properties, sourceProperties: source } = await restore(place, datasourceId, 1);
  assert.deepEqual([name, properties], ['Other', { a: 1 }]);
  assert.deepEqual(source, { ...sourceProperties, dataBucketKey: 'one.json' });
});

test('a restoration with If-Match of another revision is refused, and one that changes files takes the right to', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'one.json': '1' });
  const { id: userId, client } = await user('member with a datasource');
  const { projectId } = place;
  await admin.putProjectUser({ params: { projectId, userId }, body: { roleId: 'projectMember' } });
  const { _id: datasourceId } = await register(service, place, 'one.json');
  await context.db
    .updateTable('datasource')
    .set({ created_by: userId })
    .where('id', '=', datasourceId)
    .execute();
  await write(admin, place, { 'one.json': '2' });
  const path = { params: { projectId, datasourceId, revision: '1' } };
  const stale = { ...path, headers: { 'if-match': '"77"' } };
  await assert.rejects(admin.postProjectDatasourceRevisionRestore(stale), { status: 412 });
  await assert.rejects(client.postProjectDatasourceRevisionRestore(path), { status: 403 });
  assert.equal(await read(admin, place, 'one.json'), '2');
});

test('revisions are read without their lineage, which may be a MiB of each', async (t) => {
  const place = await newPlace(service);
  const runner = await makeRunner(service, place);
  const command = { command: 'create', name: 'Tiles' } as const;
  const { datasourceId } = await runner.run({ command, files: hundredTiles('old') });
  await sql`update datasource_revision set lineage = '["a mark"]' where datasource_id = ${datasourceId}`.execute(
    context.db,
  );
  const json = pg.types.builtins.JSON;
  const parse = pg.types.getTypeParser(json);
  t.after(() => pg.types.setTypeParser(json, parse));
  const parsed: string[] = [];
  pg.types.setTypeParser(json, (text) => (parsed.push(text), parse(text)));
  assert.equal((await revisionsOf(place, datasourceId)).length, 1);
  await restore(place, datasourceId, 1);
  assert.ok(parsed.length > 3);
  assert.equal(
    parsed.find((text) => text.includes('a mark')),
    undefined,
  );
});
