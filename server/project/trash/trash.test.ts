import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPlace, read, world, write, type BucketPath } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { emptyTrash, expireTrash } from './empty.ts';
import { removeProject } from '../../testing-projects.ts';

const service = await startService();
const { admin, adminId, context, user } = service;
const day = 24 * 3_600_000;

const trashOf = async (place: BucketPath) => (await admin.getProjectTrash({ params: place })).items;
const remove = (params: BucketPath, key: string, force = false) =>
  admin.deleteProjectDataBucketObject({ params, query: { key, force } });

/** Restores what was deleted last. */
async function restoreLast(place: BucketPath, query = {}) {
  const [last] = await trashOf(place);
  return admin.postProjectTrashItemRestore({ params: { ...place, trashId: last!._id }, query });
}

test('a deleted file is in the trash, and is restored with its id and its revisions', async () => {
  const place = await newPlace(service);
  for (const text of ['one', 'two']) await write(admin, place, { 'a.txt': text });
  const query = { key: 'a.txt' };
  const before = await admin.getProjectDataBucketObject({ params: place, query });
  const revisions = await admin.getProjectDataBucketObjectRevisions({ params: place, query });
  await remove(place, 'a.txt');
  const [item] = await trashOf(place);
  const { _id: trashId, deletedAt, expiresAt, ...shown } = item!;
  assert.deepEqual(shown, {
    type: 'object',
    name: 'a.txt',
    dataBucketId: place.dataBucketId,
    numberOfFiles: 1,
    size: 3,
    deletedBy: adminId,
  });
  assert.equal(Date.parse(expiresAt) - Date.parse(deletedAt), 30 * day);
  const restored = await admin.postProjectTrashItemRestore({ params: { ...place, trashId } });
  assert.deepEqual(restored, {
    type: 'object',
    dataBucketId: place.dataBucketId,
    key: 'a.txt',
    numberOfFiles: 1,
  });
  assert.deepEqual(await admin.getProjectDataBucketObject({ params: place, query }), before);
  assert.deepEqual(await admin.getProjectDataBucketObjectRevisions({ params: place, query }), revisions);
  assert.deepEqual(await trashOf(place), []);
  await assert.rejects(admin.postProjectTrashItemRestore({ params: { ...place, trashId } }), { status: 404 });
});

test('a folder is restored as a whole, also to another place', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'town/a/1': '1', 'town/b/2': '2', townhall: 'stays' });
  await remove(place, 'town/');
  assert.equal(await read(admin, place, 'town/a/1'), 404);
  assert.equal(await read(admin, place, 'townhall'), 'stays');
  const [item] = await trashOf(place);
  assert.deepEqual([item!.type, item!.name, item!.numberOfFiles, item!.size], ['folder', 'town/', 2, 2]);
  const { key } = await restoreLast(place, { key: 'city/old' });
  assert.equal(key, 'city/old/');
  assert.equal(await read(admin, place, 'city/old/a/1'), '1');
  assert.equal(await read(admin, place, 'city/old/b/2'), '2');
  await remove(place, 'city/');
  const deep = { key: `${'x'.repeat(250)}/`.repeat(4) + 'y'.repeat(20) };
  await assert.rejects(restoreLast(place, deep), { status: 422, message: /1024/ });
  assert.equal((await trashOf(place)).length, 1, 'what could not be restored is still there');
});

test('if a file exists at its key, restoring is refused with the name, or moves that file to the trash', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'town/a': 'old', 'town/b': 'old' });
  await remove(place, 'town/');
  await write(admin, place, { 'town/a': 'new', 'town/c': 'new' });
  await assert.rejects(restoreLast(place), { status: 409, message: /“town\/a”/ });
  assert.equal(await read(admin, place, 'town/b'), 404, 'nothing came back by half');
  await restoreLast(place, { overwrite: true });
  const texts = await Promise.all(['a', 'b', 'c'].map((name) => read(admin, place, `town/${name}`)));
  assert.deepEqual(texts, ['old', 'old', 'new']);
  const [item] = await trashOf(place);
  assert.deepEqual([item!.name, item!.numberOfFiles], ['town/', 1]);
  await restoreLast(place, { key: 'other' });
  assert.equal(await read(admin, place, 'other/a'), 'new');
});

test('a file that is served is not replaced by one of the trash, unless by force', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'old/map.geojson': '{"of": "old"}', 'new/map.geojson': '{}' });
  await remove(place, 'old/map.geojson');
  const sourceProperties = {
    type: 'internal' as const,
    dataBucketId: place.dataBucketId,
    dataBucketKey: 'new/map.geojson',
  };
  const { _id } = await admin.postProjectDatasource({
    params: place,
    body: { name: 'Map', type: 'geojson', sourceProperties },
  });
  const over = { overwrite: true, key: 'new/map.geojson' };
  await assert.rejects(
    restoreLast(place, over),
    (error: { status: number; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]!.pointer], [409, `datasource/${_id}`]);
      return true;
    },
  );
  assert.equal(await read(admin, place, 'new/map.geojson'), '{}');
  await restoreLast(place, { ...over, force: true });
  assert.equal(await read(admin, place, 'new/map.geojson'), '{"of": "old"}');
});

test('the error for a file whose bucket is deleted says whether the bucket is in the trash or gone', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  const { _id } = await admin.postProjectDataBucket({ params: place, body: { name: 'scans' } });
  const params = { projectId, dataBucketId: _id };
  await write(admin, params, { 'a.txt': 'a', 'b.txt': 'b' });
  await remove(params, 'a.txt');
  await admin.deleteProjectDataBucket({ params });
  const [ofBucket, ofFile] = await trashOf(place);
  const restoreFile = () =>
    admin.postProjectTrashItemRestore({ params: { projectId, trashId: ofFile!._id } });
  await assert.rejects(restoreFile(), (error: { errors: { pointer: string }[] }) => {
    assert.equal(error.errors[0]!.pointer, `trash-item/${ofBucket!._id}`);
    return true;
  });
  await admin.deleteProjectTrashItem({ params: { projectId, trashId: ofBucket!._id } });
  await assert.rejects(restoreFile(), { status: 409, message: /deleted permanently/ });
});

test('if two users restore an item simultaneously, one succeeds and the other finds nothing', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'town/a': '1', 'town/b': '2' });
  await remove(place, 'town/');
  const [item] = await trashOf(place);
  const params = { ...place, trashId: item!._id };
  const attempts = await Promise.allSettled(
    [1, 2, 3].map(() => admin.postProjectTrashItemRestore({ params })),
  );
  const refused = attempts.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 2);
  for (const { reason } of refused as PromiseRejectedResult[]) assert.equal(reason.status, 404);
  assert.equal(await read(admin, place, 'town/b'), '2');
});

test('after its time in the trash an item is deleted, and its bytes are released', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'town/a': 'of its own', 'town/b': 'shared', kept: 'shared' });
  for (const text of ['x', 'y']) await write(admin, place, { 'town/a': text });
  await remove(place, 'town/');
  const after = (ms: number) => ({ ...context, now: () => new Date(Date.now() + ms) });
  assert.equal(await expireTrash(after(29 * day)), 0);
  assert.ok((await expireTrash(after(31 * day))) > 0);
  assert.deepEqual(await trashOf(place), []);
  const letGo = await context.db
    .selectFrom('blob')
    .select('id')
    .where('project_id', '=', place.projectId)
    .where('unneeded_since', 'is not', null)
    .execute();
  // three contents of a, and that of b: it is shared, which the sweeper finds out
  assert.equal(letGo.length, 4);
  assert.equal(await read(admin, place, 'kept'), 'shared');
});

test('emptying that breaks off is gone on with', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'town/a': 'a' });
  await remove(place, 'town/');
  await context.db.updateTable('trash_entry').set({ is_emptied: true }).execute();
  assert.deepEqual(await trashOf(place), []);
  assert.ok((await emptyTrash(context)) >= 1);
  const rest = await context.db.selectFrom('trash_object').select('id').execute();
  assert.deepEqual(rest, []);
});

test('a project takes its trash with it', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'a.txt': 'of a project' });
  await remove(place, 'a.txt');
  await removeProject(admin, place.projectId);
  const { db } = context;
  for (const table of ['trash_entry', 'trash_object', 'object_revision', 'kept_usage'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('project_id')
      .where('project_id', '=', place.projectId)
      .execute();
    assert.deepEqual(rows, [], table);
  }
  const needed = await db
    .selectFrom('blob')
    .select('id')
    .where('project_id', '=', place.projectId)
    .where('unneeded_since', 'is', null)
    .execute();
  assert.deepEqual(needed, []);
});

test('names are for members, keys of files for those who read the bucket, deeds for those who may delete', async () => {
  const { client: manager, id: managerId } = await user('manager of trash');
  const project = await admin.postProject({ body: world, query: { managerId } });
  const place = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
  const { client: member, id: userId } = await user('member of trash');
  const { client: outsider } = await user('outsider of trash');
  await manager.putProjectUser({
    params: { projectId: place.projectId, userId },
    body: { roleId: 'projectMember' },
  });
  await write(manager, place, { 'secret.txt': 's' });
  await manager.deleteProjectDataBucketObject({ params: place, query: { key: 'secret.txt' } });
  const module = await manager.postProjectModule({ params: place, body: { name: 'M' } });
  await manager.deleteProjectModule({ params: { projectId: place.projectId, moduleId: module._id } });
  const own = await member.postProjectModule({ params: place, body: { name: 'Own' } });
  await member.deleteProjectModule({ params: { projectId: place.projectId, moduleId: own._id } });
  const seen = (await member.getProjectTrash({ params: place })).items;
  assert.deepEqual(
    seen.map(({ name }) => name),
    ['Own', 'M'],
  );
  const [ofOwn, ofModule, ofFile] = (await manager.getProjectTrash({ params: place })).items;
  const path = (item: typeof ofOwn) => ({ params: { projectId: place.projectId, trashId: item!._id } });
  await assert.rejects(outsider.getProjectTrash({ params: place }), { status: 404 });
  await assert.rejects(member.postProjectTrashItemRestore(path(ofModule)), { status: 403 });
  await assert.rejects(member.deleteProjectTrashItem(path(ofModule)), { status: 403 });
  await assert.rejects(member.postProjectTrashItemRestore(path(ofFile)), { status: 404 });
  await assert.rejects(member.deleteProjectTrashItem(path(ofFile)), { status: 404 });
  await member.postProjectTrashItemRestore(path(ofOwn));
  assert.deepEqual(await member.deleteProjectTrash({ params: place }), { numberOfDeletedItems: 0 });
  const other = await admin.postProject({ body: world });
  const foreign = { params: { projectId: other._id, trashId: ofFile!._id } };
  await assert.rejects(admin.postProjectTrashItemRestore(foreign), { status: 404 });
  assert.deepEqual(await manager.deleteProjectTrash({ params: place }), { numberOfDeletedItems: 2 });
});
