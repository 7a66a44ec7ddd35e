import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { keepOutputs } from '../../jobs/queue/keep-outputs.ts';
import { startService } from '../../testing.ts';
import { findDatasourceRevision, findFileAsOf } from './pinned-revision.ts';
import {
  hundredTiles,
  makeRunner,
  newPlace,
  read,
  register,
  textOf,
  tilesOf,
  write,
  type BucketPath,
} from './testing.ts';

const service = await startService();
const { admin, adminId, context } = service;

const revisionsOf = async ({ projectId }: BucketPath, datasourceId: string) =>
  (await admin.getProjectDatasourceRevisions({ params: { projectId, datasourceId } })).items;

const oldTiles = Object.values(hundredTiles('old'));
const newTiles = Object.values(hundredTiles('new'));

test('readers of a revision of a folder that a job overwrites never see a mixture', async () => {
  const place = await newPlace(service);
  const runner = await makeRunner(service, place);
  const command = { command: 'create', name: 'Tiles' } as const;
  const { datasourceId } = await runner.run({ command, prefix: 'town', files: hundredTiles('old') });
  const again = { command: 'overwrite', datasourceId } as const;
  const files = { ...hundredTiles('new'), 'tiles/8/0/0.pbf': 'only of the second' };
  const { complete } = await runner.prepare({ command: again, prefix: 'town', files });
  let isOver = false;
  const completing = complete().finally(() => (isOver = true));
  let looks = 0;
  while (!isOver || looks < 3) {
    looks++;
    const tiles = await tilesOf(service, datasourceId, 1);
    // until the switch revision 1 is the current one, whose files are read one by one
    const [pinned] = (await revisionsOf(place, datasourceId)).toReversed();
    if (!pinned!.isCurrent) assert.deepEqual(await tilesOf(service, datasourceId, 1), oldTiles);
    assert.equal(tiles.length, 100);
  }
  assert.equal((await completing).state, 'succeeded');
  assert.deepEqual(await tilesOf(service, datasourceId, 1), oldTiles);
  assert.deepEqual(await tilesOf(service, datasourceId, 2), newTiles);
  const { until } = (await findDatasourceRevision(context.db, datasourceId, 1))!;
  const added = { bucketId: place.dataBucketId, key: 'town/tiles/8/0/0.pbf' };
  assert.equal(await findFileAsOf(context.db, { ...added, at: until }), undefined);
  assert.ok(await findFileAsOf(context.db, { ...added, at: undefined }));
});

test('uploads into a folder that a job is writing wait for its end', async () => {
  const place = await newPlace(service);
  const { projectId, dataBucketId: bucketId } = place;
  await write(admin, place, { 'town/a.txt': 'old', 'town/b.txt': 'old' });
  const { _id: datasourceId } = await register(service, place, 'town/');
  const runner = await makeRunner(service, place);
  const command = { command: 'create', name: 'Tiles' } as const;
  const { jobId } = await runner.prepare({ command, prefix: 'town', files: { 'a.txt': 'of the job' } });
  const to = { projectId, bucketId, folder: 'town/', overwrite: true, by: adminId, now: new Date() };
  const { db } = context;
  let both: Promise<unknown> | undefined;
  await db.transaction().execute(async (other) => {
    // so that the job cannot go on in the middle of its statement
    await other.selectFrom('object').select('id').where('key', '=', 'town/a.txt').forUpdate().execute();
    const taking = db.transaction().execute((tx) => keepOutputs(tx, { jobId, attempt: 1 }, to));
    while ((await countWaiting()) < 1) await sleep(5);
    let isUploaded = false;
    const upload = write(admin, place, { 'town/b.txt': 'by hand' }).finally(() => (isUploaded = true));
    both = Promise.all([taking, upload]);
    while (!isUploaded && (await countWaiting()) < 2) await sleep(5);
    assert.equal(isUploaded, false);
  });
  await both;
  const textsOf = (revision: number) =>
    Promise.all(['a.txt', 'b.txt'].map((key) => textOf(context, { datasourceId, revision, key })));
  assert.deepEqual(await textsOf(1), ['old', 'old']);
  assert.deepEqual(await read(admin, place, 'town/b.txt'), 'by hand');
});

async function countWaiting(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(context.db);
  return rows.length;
}

test('an upload into the folder while a job overwrites it belongs to one side or the other', async () => {
  const place = await newPlace(service);
  const runner = await makeRunner(service, place);
  const command = { command: 'create', name: 'Tiles' } as const;
  const { datasourceId } = await runner.run({ command, prefix: 'town', files: hundredTiles('old') });
  for (let round = 0; round < 3; round++) {
    const again = { command: 'overwrite', datasourceId } as const;
    const files = hundredTiles(`round ${round}`);
    const { complete } = await runner.prepare({ command: again, prefix: 'town', files });
    const uploads = Array.from({ length: 8 }, (_, x) =>
      write(admin, place, { [`town/tiles/7/${x}/0.pbf`]: `by hand ${round} ${x}` }),
    );
    await Promise.all([complete(), ...uploads]);
  }
  const revisions = (await revisionsOf(place, datasourceId)).toReversed();
  for (const [index, { revision, cause }] of revisions.entries()) {
    if (cause !== 'job' || index === revisions.length - 1) continue;
    const round = revisions.slice(0, index).filter((one) => one.cause === 'job').length;
    const text = round === 0 ? 'old' : `round ${round - 1}`;
    // what nobody but the job wrote is all of that job
    assert.deepEqual(
      (await tilesOf(service, datasourceId, revision)).slice(8),
      Object.values(hundredTiles(text)).slice(8),
    );
  }
});

test('a folder deleted while a job completes into it is either deleted or created again with complete files', async () => {
  const place = await newPlace(service);
  const runner = await makeRunner(service, place);
  const command = { command: 'create', name: 'Tiles' } as const;
  const { datasourceId } = await runner.run({ command, prefix: 'town', files: hundredTiles('old') });
  const again = { command: 'overwrite', datasourceId } as const;
  const { complete } = await runner.prepare({ command: again, prefix: 'town', files: hundredTiles('new') });
  const deletion = admin.deleteProjectDataBucketObject({
    params: place,
    query: { key: 'town/', force: true },
  });
  const [{ state }] = await Promise.all([complete(), deletion]);
  assert.equal(state, 'succeeded');
  const tiles = new Set(await tilesOf(service, datasourceId, 2));
  assert.ok(tiles.size === 100 || (tiles.size === 1 && tiles.has('absent')), `${tiles.size}`);
  const { items } = await admin.getProjectTrash({ params: place });
  assert.deepEqual(
    items.map(({ name, numberOfFiles }) => [name, numberOfFiles]),
    [['town/', 100]],
  );
});
