import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { projectWithCities, putFile } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { inspectAfterUpload } from './after-upload.ts';

const service = await startService();
const { admin, adminId, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const looking = { ...context, settings: { ...context.settings, inspectUploads: true } };

async function upload(key: string, content = key): Promise<void> {
  await putFile(context, { projectId, bucketId, key, by: adminId }, content);
  await inspectAfterUpload(looking, { projectId, bucketId, key, by: adminId });
}

/** The keys of what waits to be inspected since it was asked last, in the order of the queue. */
async function waiting(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select parameters -> 'subject' ->> 'key' as key from job where about is not null and state = 'queued'
      order by band desc, priority desc, created_at, id`.execute(context.db);
  await context.db.deleteFrom('job').execute();
  return rows.map(({ key }) => key);
}

test('nothing is queued without a runner, or if the operator has disabled it', async () => {
  await upload('early.geojson');
  assert.deepEqual(await waiting(), []);
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const { token } = await service.as().postRunnerEnrol({
    body: { enrolmentToken, name: 'by hand', labels: [], version: '' },
  });
  await service.as(token).postRunnerClaim({ body: { waitSeconds: 0 } });
  await upload('later.geojson');
  assert.deepEqual(await waiting(), ['later.geojson']);
  await inspectAfterUpload(context, { projectId, bucketId, key: 'later.geojson', by: adminId });
  assert.deepEqual(await waiting(), []);
});

test('an inspection waits behind all tasks until a user waits for it', async () => {
  await upload('behind.geojson');
  await upload('ahead.geojson');
  const options = { input: { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' } };
  const parameters = { datasource: { command: 'create', name: 'A' }, options };
  const body = { name: 'A', jobType: 'platenTilesVector', priority: -1_000_000, parameters };
  await admin.postProjectTask({ params: { projectId }, body });
  const query = { key: 'ahead.geojson', waitSeconds: 0 };
  await admin.postProjectDataBucketInspect({ params: { projectId, dataBucketId: bucketId }, query });
  const { rows } = await sql<{ key: string | null }>`
    select parameters -> 'subject' ->> 'key' as key from job order by band desc, priority desc, created_at`.execute(
    context.db,
  );
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['ahead.geojson', null, 'behind.geojson'],
  );
  await waiting();
});

test('newer content takes the place of older content that waits', async () => {
  await upload('changing.geojson', 'first');
  await upload('changing.geojson', 'second');
  await upload('changing.geojson', 'second');
  assert.deepEqual(await waiting(), ['changing.geojson']);
});

test('a shapefile is inspected once, in any order of its parts', async () => {
  for (const ending of ['shp', 'dbf', 'shx', 'prj']) await upload(`one/roads.${ending}`);
  assert.deepEqual(await waiting(), ['one/roads.shp']);
  for (const ending of ['dbf', 'prj', 'shp', 'shx']) await upload(`two/roads.${ending}`);
  assert.deepEqual(await waiting(), ['two/roads.shp']);
  await upload('three/roads.dbf');
  await upload('four/photo.jpg');
  await upload('four/photo.jgw');
  assert.deepEqual(await waiting(), ['four/photo.jpg']);
});

test('tiles, parts of tilesets, empty files and one of many are passed over', async () => {
  await upload('tiles/3/4/5.png');
  await upload('tiles/3/4/5@2x.png.gz');
  await upload('empty.geojson', '');
  await upload('model/a.b3dm');
  await upload('model/tileset.json');
  await upload('model/deep/below/b.glb');
  await upload('model/deep/tileset.json');
  assert.deepEqual(await waiting(), ['model/tileset.json']);
  for (let i = 0; i < 110; i++) await upload(`many/${i}.geojson`);
  assert.equal((await waiting()).length, 100);
  await upload('many/other.csv');
  assert.deepEqual(await waiting(), ['many/other.csv']);
});

test('no more than a hundred wait', async () => {
  for (let i = 0; i < 110; i++) await upload(`folder ${i}/data.geojson`, String(i));
  assert.equal((await waiting()).length, 100);
});

test('a failed inspection does not affect the upload', async () => {
  const gone = { projectId, bucketId, key: 'not there', by: adminId };
  await inspectAfterUpload(looking, gone);
  const silent = { ...looking, db: undefined as never, log: { warn: () => {} } as never };
  await inspectAfterUpload(silent, gone);
  assert.deepEqual(await waiting(), []);
});
