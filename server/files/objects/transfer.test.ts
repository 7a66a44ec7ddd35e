import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { untilSomeoneWaits } from '../../base/database/testing.ts';
import { askFor } from '../../datasources/serving/testing.ts';
import { startService } from '../../testing.ts';
import { digestFolders, recountFolders } from './testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
const geojson = '{"type":"FeatureCollection","features":[]}';

/** A project of its own with these files. */
async function bucketOf(files: Readonly<Record<string, string>>) {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  const params = { projectId: _id, dataBucketId: defaultDataBucketId };
  if (Object.keys(files).length > 0) await upload(params, files);
  return params;
}

type Params = Awaited<ReturnType<typeof bucketOf>>;

async function upload(params: Params, files: Readonly<Record<string, string>>) {
  const form = new FormData();
  for (const [key, content] of Object.entries(files)) form.append(key, new Blob([content]), 'file');
  const { admin } = await service;
  await admin.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
}

async function contents(params: Params): Promise<Record<string, string>> {
  const { admin } = await service;
  const { items } = await admin.getProjectDataBucketObjects({ params, query: { limit: 1000 } });
  const found: Record<string, string> = {};
  for (const { key } of items) {
    const file = await admin.getProjectDataBucketDownloadFile({ params, query: { key } });
    found[key] = await file.text();
  }
  return found;
}

const copy = async (params: Params, body: object) =>
  (await service).admin.postProjectDataBucketObjectCopy({
    params,
    body: body as { key: string; to: string },
  });
const move = async (params: Params, body: object) =>
  (await service).admin.postProjectDataBucketObjectMove({
    params,
    body: body as { key: string; to: string },
  });

async function secondBucket({ projectId }: Params): Promise<string> {
  const { admin } = await service;
  return (await admin.postProjectDataBucket({ params: { projectId }, body: { name: 'second' } }))._id;
}

async function countsHold() {
  const { context } = await service;
  assert.equal(await digestFolders(context.db), await recountFolders(context.db));
}

test('a file is copied without its bytes, and each goes its own way from then on', async () => {
  const { context } = await service;
  const params = await bucketOf({ 'a.json': '{}' });
  const made = await copy(params, { key: 'a.json', to: '/new/b.txt' });
  assert.deepEqual([made.key, made.size, made.contentType], ['new/b.txt', 2, 'text/plain; charset=utf-8']);
  const { rows } =
    await sql`select distinct blob_id from object where project_id = ${params.projectId}`.execute(context.db);
  assert.equal(rows.length, 1);
  await upload(params, { 'a.json': '[1]' });
  assert.deepEqual(await contents(params), { 'a.json': '[1]', 'new/b.txt': '{}' });
});

test('a folder is copied to another data bucket, over what is there only if that is asked for', async () => {
  const params = await bucketOf({ 'a/x': '1', 'a/b/y': '2', ab: '3' });
  const dataBucketId = await secondBucket(params);
  const there = { ...params, dataBucketId };
  await upload(there, { 'c/x': 'old', 'c/z': 'other' });
  const body = { key: 'a/', to: 'c/', dataBucketId };
  await assert.rejects(copy(params, body), (error: { status: number; errors: { detail: string }[] }) => {
    assert.deepEqual([error.status, error.errors.map(({ detail }) => detail)], [409, ['c/x']]);
    return true;
  });
  assert.deepEqual(await contents(there), { 'c/x': 'old', 'c/z': 'other' });
  const made = await copy(params, { ...body, overwrite: true });
  assert.deepEqual(
    [made.type, made.key, made.dataBucketId, made.numberOfFiles],
    ['directory', 'c/', dataBucketId, 3],
  );
  assert.deepEqual(await contents(there), { 'c/b/y': '2', 'c/x': '1', 'c/z': 'other' });
  assert.deepEqual(await contents(params), { 'a/b/y': '2', 'a/x': '1', ab: '3' });
  await countsHold();
});

test('a copy does not replace a file that comes in the same moment', async () => {
  const { context } = await service;
  const params = await bucketOf({ 'from.txt': 'copied', 'other.txt': 'other' });
  const { copying } = await context.db.transaction().execute(async (tx) => {
    await sql`insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type,
        created_at, created_by, updated_at, updated_by)
      select project_id, bucket_id, 'to.txt', blob_id, size, sha256, content_type,
        created_at, created_by, updated_at, updated_by
      from object where bucket_id = ${params.dataBucketId} and key = 'other.txt'`.execute(tx);
    const refused = assert.rejects(copy(params, { key: 'from.txt', to: 'to.txt' }), { status: 409 });
    await untilSomeoneWaits(tx);
    return { copying: refused };
  });
  await copying;
  assert.equal((await contents(params))['to.txt'], 'other');
});

test('a file keeps its id through renaming and moving; what it replaces goes to the trash', async () => {
  const { admin } = await service;
  const params = await bucketOf({ 'a.txt': 'new', 'b.txt': 'old' });
  const before = await admin.getProjectDataBucketObject({ params, query: { key: 'a.txt' } });
  await assert.rejects(move(params, { key: 'a.txt', to: 'b.txt' }), { status: 409 });
  const moved = await move(params, { key: 'a.txt', to: 'b.txt', overwrite: true });
  assert.deepEqual([moved._id, moved.key], [before._id, 'b.txt']);
  assert.deepEqual(await contents(params), { 'b.txt': 'new' });
  const trash = await admin.getProjectTrash({ params });
  assert.deepEqual(
    trash.items.map(({ name }) => name),
    ['b.txt'],
  );
  const dataBucketId = await secondBucket(params);
  const elsewhere = await move(params, { key: 'b.txt', to: 'x/y.txt', dataBucketId });
  assert.deepEqual([elsewhere._id, elsewhere.dataBucketId], [before._id, dataBucketId]);
  assert.deepEqual(await contents(params), {});
  await countsHold();
});

test('a folder moves up into one above it, although files get the keys that others still had', async () => {
  const params = await bucketOf({ 'a/b/b/x': '1', 'a/b/x': '2', 'a/b/b/b/x': '3', 'a/y': '4' });
  await move(params, { key: 'a/b/', to: 'a/' });
  assert.deepEqual(await contents(params), { 'a/b/x': '1', 'a/x': '2', 'a/b/b/x': '3', 'a/y': '4' });
  await countsHold();
});

test('what cannot be moved is refused, and nothing has changed', async () => {
  const { context } = await service;
  const files = { 'a/x': '1', 'a/b/c': '2', file: '3', 'd/x': '4', 'e/b': '5', 'f/g/h': '6' };
  const params = await bucketOf(files);
  const long = 'n'.repeat(250);
  const cases: [body: object, status: number][] = [
    [{ key: 'a/', to: 'a/' }, 400],
    [{ key: 'a/', to: 'a/deeper/' }, 400],
    [{ key: 'a/', to: 'b' }, 400],
    [{ key: 'file', to: 'b/' }, 400],
    [{ key: 'a/', to: '/' }, 400],
    [{ key: '/', to: 'b/' }, 400],
    [{ key: 'file', to: '../b' }, 400],
    [{ key: 'file', to: 'a\0b' }, 400],
    [{ key: 'file', to: '\ud800' }, 400],
    [{ key: 'file', to: 'x'.repeat(10_000) }, 400],
    [{ key: 'a/', to: `${long}/${long}/${long}/${long}/x/y/z/a/b/c/d/e/f/` }, 400],
    [{ key: 'file', to: 'g', dataBucketId: 'nowhere' }, 422],
    [{ key: 'none', to: 'b' }, 422],
    [{ key: 'fil/', to: 'b/' }, 422],
    [{ key: 'a/', to: 'd/' }, 409],
    // a file and a folder at once
    [{ key: 'file', to: 'a' }, 409],
    [{ key: 'file', to: 'a/x/y' }, 409],
    [{ key: 'a/', to: 'file/' }, 409],
    [{ key: 'a/', to: 'file/deeper/' }, 409],
    [{ key: 'a/b/', to: 'e/b/' }, 409],
    [{ key: 'f/', to: 'd/x/' }, 409],
  ];
  const rows = async () => (await sql`select key, id, xmin from object order by id`.execute(context.db)).rows;
  const before = await rows();
  for (const [body, status] of cases) {
    for (const send of [move, copy])
      await assert.rejects(send(params, body), { status }, JSON.stringify(body).slice(0, 200));
  }
  assert.deepEqual(await rows(), before);
  await countsHold();
});

test('a datasource serves its data from where it was moved to, under its old address, too', async () => {
  const { admin } = await service;
  const params = await bucketOf({
    'in/places.geojson': geojson,
    'tiles/set/tileset.json': tileset,
    'tiles/set/0.b3dm': 'x',
  });
  const register = (type: 'geojson' | 'generic' | 'tileset', dataBucketKey: string) =>
    admin.postProjectDatasource({
      params,
      body: {
        name: type,
        type,
        sourceProperties: { type: 'internal', dataBucketId: params.dataBucketId, dataBucketKey },
      },
    });
  const [file, folder, entry] = [
    await register('geojson', 'in/places.geojson'),
    await register('generic', 'tiles/set/'),
    await register('tileset', 'tiles/set/tileset.json'),
  ];
  const ask = async (path: string) => (await askFor(await service, path, {})).statusCode;
  const get = (datasourceId: string) => admin.getProjectDatasource({ params: { ...params, datasourceId } });
  assert.equal(await ask(file.uri), 200);

  const dataBucketId = await secondBucket(params);
  await move(params, { key: 'in/', to: 'out/deep/', dataBucketId });
  await move({ ...params, dataBucketId }, { key: 'out/deep/places.geojson', to: 'out/renamed.geojson' });
  assert.equal(await ask(file.uri), 200);
  const moved = await get(file._id);
  assert.deepEqual(moved.sourceProperties, {
    type: 'internal',
    dataBucketId,
    dataBucketKey: 'out/renamed.geojson',
  });
  assert.deepEqual([moved.uri, moved.revision], [`/data/${file._id}/renamed.geojson`, file.revision + 2]);
  for (const path of [moved.uri, file.uri]) assert.equal(await ask(path), 200, path);
  assert.equal(await ask(`/data/${file._id}/other.geojson`), 404);

  await move(params, { key: 'tiles/', to: 'models/new/' });
  assert.deepEqual((await get(folder._id)).sourceProperties, {
    type: 'internal',
    dataBucketId: params.dataBucketId,
    dataBucketKey: 'models/new/set/',
  });
  assert.equal((await get(entry._id)).uri, entry.uri);
  for (const path of [entry.uri, `/data/${folder._id}/0.b3dm`, `/data/${entry._id}/0.b3dm`])
    assert.equal(await ask(path), 200, path);
});

test('a part of what a datasource serves as a whole leaves only by force', async () => {
  const { admin } = await service;
  const params = await bucketOf({ 'set/tileset.json': tileset, 'set/0/0.b3dm': 'x' });
  const sourceProperties = {
    type: 'internal',
    dataBucketId: params.dataBucketId,
    dataBucketKey: 'set/tileset.json',
  } as const;
  const datasource = await admin.postProjectDatasource({
    params,
    body: { name: 'Set', type: 'tileset', sourceProperties },
  });
  for (const body of [
    { key: 'set/0/0.b3dm', to: 'set/1.b3dm' },
    { key: 'set/0/', to: 'other/' },
    { key: 'set/tileset.json', to: 'tileset.json' },
  ]) {
    await assert.rejects(move(params, body), (error: { status: number; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]?.pointer], [409, `datasource/${datasource._id}`]);
      return true;
    });
  }
  await move(params, { key: 'set/tileset.json', to: 'set/root.json' });
  const { uri } = await admin.getProjectDatasource({ params: { ...params, datasourceId: datasource._id } });
  assert.equal(uri, `/data/${datasource._id}/root.json`);
  for (const path of [uri, datasource.uri])
    assert.equal((await askFor(await service, path, {})).statusCode, 200);
  await move(params, { key: 'set/0/', to: 'other/', force: true });
});

const tileset = JSON.stringify({
  asset: { version: '1.0' },
  geometricError: 1,
  root: { boundingVolume: { region: [0, 0, 0.1, 0.1, 0, 1] }, geometricError: 0, refine: 'ADD' },
});

test('the thumbnail of a file goes with it', async () => {
  const params = await bucketOf({ 'a.pmtiles': 'x', 'a.pmtiles.thumbnail.png': 'y' });
  await move(params, { key: 'a.pmtiles', to: 'b/c.pmtiles' });
  assert.deepEqual(Object.keys(await contents(params)), ['b/c.pmtiles', 'b/c.pmtiles.thumbnail.png']);
});

test('tasks and waiting jobs read and write where their folder was moved to', async () => {
  const { admin } = await service;
  const params = await bucketOf({ 'scans/a.geojson': geojson, scans: geojson, 'one.geojson': geojson });
  const source = (dataBucketKey: string) => ({
    type: 'internal',
    dataBucketId: params.dataBucketId,
    dataBucketKey,
  });
  const options = {
    input: [source('/scans/a.geojson'), source('scans/'), source('scans'), source('one.geojson')],
    tiling: { minZoom: 1 },
    output: { prefix: 'scans/tiles' },
  };
  const task = await admin.postProjectTask({
    params,
    body: {
      name: 'T',
      jobType: 'platenTilesVector',
      schedule: { type: 'scheduled', scheduled: '2099-01-01T00:00:00Z' },
      parameters: { datasource: { command: 'create', name: 'D' }, options },
    },
  });
  const path = { projectId: params.projectId, taskId: task._id };
  const job = await admin.postProjectTaskRun({ params: path });
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'scans', force: true } });
  await upload(params, { scans: geojson });
  const dataBucketId = await secondBucket(params);
  await move(params, { key: 'scans/', to: 'kept/2026/', dataBucketId });
  await move(params, { key: 'one.geojson', to: 'two.geojson' });
  const elsewhere = (dataBucketKey: string) => ({ type: 'internal', dataBucketId, dataBucketKey });
  const expected = {
    datasource: { command: 'create', name: 'D' },
    options: {
      input: [
        elsewhere('kept/2026/a.geojson'),
        elsewhere('kept/2026/'),
        source('scans'),
        source('two.geojson'),
      ],
      tiling: { minZoom: 1 },
      output: { prefix: 'kept/2026/tiles', dataBucketId },
    },
  };
  const changed = await admin.getProjectTask({ params: path });
  assert.deepEqual(changed.parameters, expected);
  assert.equal(changed.revision, task.revision + 2);
  const waiting = await admin.getProjectJob({ params: { projectId: params.projectId, jobId: job._id } });
  assert.deepEqual(waiting.parameters, expected);
});

test('a task of a type that is no longer installed does not keep its file from being moved', async () => {
  const { admin, context } = await service;
  const params = await bucketOf({ 'one.geojson': geojson });
  const { projectId, dataBucketId } = params;
  const input = (dataBucketKey: string) => ({ type: 'internal', dataBucketId, dataBucketKey });
  const { _id: taskId } = await admin.postProjectTask({
    params,
    body: {
      name: 'T',
      jobType: 'platenTilesVector',
      schedule: { type: 'scheduled', scheduled: '2099-01-01T00:00:00Z' },
      parameters: {
        datasource: { command: 'create', name: 'D' },
        options: { input: input('one.geojson') },
      },
    },
  });
  await context.db.updateTable('task').set({ job_type: 'platenGone' }).where('id', '=', taskId).execute();
  await move(params, { key: 'one.geojson', to: 'two.geojson' });
  const { parameters } = await admin.getProjectTask({ params: { projectId, taskId } });
  assert.deepEqual(parameters['options'], { input: input('two.geojson') });
});

test('whoever made a data bucket moves files in it, but without uploadToDataBucket puts none into it or another', async () => {
  const { admin, context, user } = await service;
  const params = await bucketOf({ a: '1' });
  const dataBucketId = await secondBucket(params);
  const { id, client } = await user('transfer-member');
  await admin.putProjectUser({ params: { ...params, userId: id }, body: { roleId: 'projectMember' } });
  const body = { key: 'a', to: 'b' };
  await assert.rejects(client.postProjectDataBucketObjectMove({ params, body }), { status: 403 });
  await sql`update data_bucket set created_by = ${id} where id = ${params.dataBucketId}`.execute(context.db);
  await assert.rejects(client.postProjectDataBucketObjectCopy({ params, body }), { status: 403 });
  const elsewhere = { ...body, dataBucketId };
  await assert.rejects(client.postProjectDataBucketObjectMove({ params, body: elsewhere }), { status: 403 });
  await client.postProjectDataBucketObjectMove({ params, body });
});

test('a copy needs room in the quota, and a move does not', async () => {
  const { admin, context } = await service;
  const params = await bucketOf({ 'a/x': '12345', 'a/y': '12345' });
  await context.db
    .updateTable('project')
    .set({ quota_bytes: 15 })
    .where('id', '=', params.projectId)
    .execute();
  await assert.rejects(copy(params, { key: 'a/', to: 'b/' }), { status: 507 });
  await copy(params, { key: 'a/x', to: 'c' });
  await move(params, { key: 'a/', to: 'b/' });
  const { totalCount } = await admin.getProjectDataBucketObjects({ params });
  assert.equal(totalCount, 3);
});
