import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { NewDatasource } from '@platen/contract/datasources';
import { notify } from '../../base/database/notifications.ts';
import { newId } from '../../base/ids.ts';
import { startService } from '../../testing.ts';
import { archiveOf, askFor, registerFile, type DataQuery } from './testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };

const tile = Buffer.from('a tile of vectors');
const geojson = '{"type":"FeatureCollection","features":[]}';

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const form = new FormData();
  form.append('places.geojson', new Blob([geojson]), 'file');
  const archive = archiveOf([[0, 0, 0, tile]]);
  form.append('places.pmtiles', new Blob([new Uint8Array(archive)]), 'file');
  await admin.postProjectDataBucketUpload({ params, body: form });
});

const register = async (type: NewDatasource['type'], key: string) =>
  registerFile(await service, params, type, key);
const ask = async (path: string, options: DataQuery = {}) => askFor(await service, path, options);

/** An app that shows the datasource, written into the tables; a function that changes it, and tells as the service does. */
async function appOf(datasourceId: string, memberId: string, isPublic = true) {
  const { context } = await service;
  const { db } = context;
  const [module_id, app_id] = [newId(new Date()), newId(new Date())];
  const { projectId: project_id } = params;
  const now = new Date();
  const stamps = {
    created_at: now,
    created_by: memberId,
    updated_at: now,
    updated_by: memberId,
    revision: 1,
  };
  const common = { project_id, description: '', properties: '{}', member_id: memberId, ...stamps };
  await db
    .insertInto('module')
    .values({ id: module_id, name: 'm', content: '{}', ...common })
    .execute();
  await db
    .insertInto('app')
    .values({
      id: app_id,
      name: 'a',
      map_version: '^6',
      is_public: isPublic,
      publish_task_ids: [],
      ...common,
    })
    .execute();
  await db
    .insertInto('module_datasource')
    .values({ project_id, module_id, datasource_id: datasourceId })
    .execute();
  await db.insertInto('app_module').values({ project_id, app_id, position: 0, module_id }).execute();
  await notify(db, 'accessChanged');
  return {
    app_id,
    async setPublic(to: boolean) {
      await db.updateTable('app').set({ is_public: to }).where('id', '=', app_id).execute();
      await notify(db, 'accessChanged');
    },
  };
}

/** Notifications arrive some milliseconds after the commit; without them, decisions are kept for three seconds. */
async function becomes(path: string, status: number, token?: string): Promise<void> {
  const deadline = performance.now() + 2500;
  for (;;) {
    const { statusCode } = await ask(path, { token });
    if (statusCode === status) return;
    assert.ok(performance.now() < deadline, `${path} still answers ${statusCode}, not ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('data of no public app is read by members only: by GET, HEAD, range and tile alike', async () => {
  const { admin, user } = await service;
  const id = await register('vectortiles', 'places.pmtiles');
  const [member, outsider] = [await user('serving-member'), await user('serving-outsider')];
  const userId = member.id;
  await admin.putProjectUser({ params: { ...params, userId }, body: { roleId: 'projectMember' } });
  const ways: [path: string, options: DataQuery][] = [
    [`/data/${id}/places.pmtiles`, {}],
    [`/data/${id}/places.pmtiles`, { method: 'HEAD' }],
    [`/data/${id}/places.pmtiles`, { headers: { range: 'bytes=0-3' } }],
    [`/data/${id}/0/0/0.pbf`, {}],
    [`/data/${id}/9/9/9.pbf`, {}],
    [`/data/${id}/tiles.json`, {}],
  ];
  for (const [path, options] of ways) {
    const statusFor = async (token: string | undefined) =>
      (await ask(path, { ...options, token })).statusCode;
    assert.ok((await statusFor(member.token)) < 300, path);
    assert.equal(await statusFor(undefined), 404, path);
    assert.equal(await statusFor(outsider.token), 404, path);
    assert.equal(await statusFor('nonsense'), 401, path);
  }
  await admin.deleteProjectUser({ params: { ...params, userId } });
  await becomes(ways[0]![0], 404, member.token);
});

test('a public app opens its data to all, until it is taken back or its user may no longer read it', async () => {
  const { admin, adminId, user } = await service;
  const id = await register('geojson', 'places.geojson');
  const path = `/data/${id}/places.geojson`;
  assert.equal((await ask(path, { token: undefined })).statusCode, 404);
  const app = await appOf(id, adminId);
  await becomes(path, 200);
  const { headers } = await ask(path, { token: undefined });
  assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate');
  assert.equal((await ask(path, { token: 'nonsense' })).statusCode, 200);
  await app.setPublic(false);
  await becomes(path, 404);

  const owner = await user('serving-owner');
  const userId = owner.id;
  await admin.putProjectUser({ params: { ...params, userId }, body: { roleId: 'projectMember' } });
  await appOf(id, userId);
  await becomes(path, 200);
  await admin.deleteProjectUser({ params: { ...params, userId } });
  await becomes(path, 404);
});

test('guests of an app read its data, and no other', async () => {
  const { adminId, context, user } = await service;
  const [shown, other] = [
    await register('geojson', 'places.geojson'),
    await register('geojson', 'places.geojson'),
  ];
  const guest = await user('serving-guest');
  const { app_id } = await appOf(shown, adminId, false);
  const row = { project_id: params.projectId, app_id, user_id: guest.id };
  await context.db
    .insertInto('app_guest')
    .values({ ...row, created_at: new Date(), created_by: adminId })
    .execute();
  await notify(context.db, 'accessChanged');
  await becomes(`/data/${shown}`, 200, guest.token);
  assert.equal((await ask(`/data/${other}`, { token: guest.token })).statusCode, 404);
  assert.equal((await ask(`/data/${shown}`, { token: undefined })).statusCode, 404);
});
