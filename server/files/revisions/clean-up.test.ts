import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { cleanUpRevisions } from './clean-up.ts';
import { newPlace, read, write, type BucketPath } from './testing.ts';

const hour = 3_600_000;
const day = 24 * hour;
const service = await startService({ settings: { keepRevisions: 3, keepRevisionsMs: 10 * day } });
const { admin, context } = service;
const after = (ms: number) => ({ ...context, now: () => new Date(Date.now() + ms) });

const revisionsOf = async (params: BucketPath, key: string) => {
  const { items } = await admin.getProjectDataBucketObjectRevisions({ params, query: { key } });
  return items.map(({ revision }) => revision);
};

test('the latest revisions of each file are kept, the others are removed after an hour, the oldest first', async () => {
  const place = await newPlace(service);
  for (let n = 1; n <= 6; n++) await write(admin, place, { 'a.txt': `content ${n}`, 'b.txt': 'one' });
  await cleanUpRevisions(context);
  assert.deepEqual(await revisionsOf(place, 'a.txt'), [6, 5, 4, 3, 2, 1], 'whoever reads one now may finish');
  await cleanUpRevisions(after(2 * hour));
  assert.deepEqual(await revisionsOf(place, 'a.txt'), [6, 5, 4, 3]);
  assert.deepEqual(await revisionsOf(place, 'b.txt'), [1]);
});

test('revisions replaced too long ago are removed, current ones stay whatever their age', async () => {
  const place = await newPlace(service);
  for (const text of ['one', 'two']) await write(admin, place, { 'a.txt': text });
  await cleanUpRevisions(after(9 * day));
  assert.deepEqual(await revisionsOf(place, 'a.txt'), [2, 1]);
  await cleanUpRevisions(after(11 * day));
  assert.deepEqual(await revisionsOf(place, 'a.txt'), [2]);
  assert.equal(await read(admin, place, 'a.txt'), 'two');
  await write(admin, place, { 'a.txt': 'three' });
  assert.deepEqual(await revisionsOf(place, 'a.txt'), [3, 2], 'numbers go on');
});

test('even with nothing to be kept, an hour is', async () => {
  const place = await newPlace(service);
  for (const text of ['one', 'two']) await write(admin, place, { 'a.txt': text });
  const settings = { ...context.settings, keepRevisions: 0, keepRevisionsMs: 0 };
  await cleanUpRevisions({ ...context, settings });
  assert.deepEqual(await revisionsOf(place, 'a.txt'), [2, 1]);
  await cleanUpRevisions({ ...after(2 * hour), settings });
  assert.deepEqual(await revisionsOf(place, 'a.txt'), [2]);
});

test('a file in the trash keeps its latest revisions, too', async () => {
  const place = await newPlace(service);
  for (let n = 1; n <= 6; n++) await write(admin, place, { 'a.txt': `content ${n}` });
  await admin.deleteProjectDataBucketObject({ params: place, query: { key: 'a.txt' } });
  await cleanUpRevisions(after(2 * hour));
  const [item] = (await admin.getProjectTrash({ params: place })).items;
  await admin.postProjectTrashItemRestore({ params: { ...place, trashId: item!._id } });
  assert.deepEqual(await revisionsOf(place, 'a.txt'), [6, 5, 4, 3]);
});

test('revisions of datasources go likewise, and the current one stays', async () => {
  const place = await newPlace(service);
  const { projectId, dataBucketId } = place;
  await write(admin, place, { 'a.json': '1', 'b.json': '2' });
  const source = (dataBucketKey: string) => ({ type: 'internal' as const, dataBucketId, dataBucketKey });
  const body = { name: 'D', type: 'generic' as const, sourceProperties: source('a.json') };
  const { _id: datasourceId } = await admin.postProjectDatasource({ params: place, body });
  const params = { projectId, datasourceId };
  for (const key of ['b.json', 'a.json', 'b.json', 'a.json'])
    await admin.putProjectDatasource({ params, body: { sourceProperties: source(key) } });
  const numbers = async () =>
    (await admin.getProjectDatasourceRevisions({ params })).items.map(({ revision }) => revision);
  await cleanUpRevisions(after(2 * hour));
  assert.deepEqual(await numbers(), [5, 4, 3, 2]);
  await cleanUpRevisions(after(11 * day));
  assert.deepEqual(await numbers(), [5]);
});
