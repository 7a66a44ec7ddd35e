import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestFailed } from '@platen/client/client';
import type { Inspection } from '@platen/contract/inspect';
import { encodeDbf, encodeShp } from '@platen/formats/shapefile/testing';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { sql } from 'kysely';
import { ingest } from '../../files/objects/ingest.ts';
import { findObject } from '../../files/objects/store.ts';
import { startRunner } from '../testing-runner.ts';
import { removeOldInspections } from '../../project/retention/old-inspections.ts';
import { cities, projectWithCities, tilingTask } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { inspectAfterUpload } from './after-upload.ts';
import { inspectionsOf } from '../../files/objects/inspections.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, adminId, adminToken, app, context } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId, dataBucketId: bucketId };

async function put(key: string, content: string | Uint8Array): Promise<void> {
  const file = { projectId, bucketId, key, by: adminId, overwrite: true };
  await ingest(context, { ...file, body: Readable.from([Buffer.from(content)]) });
}

const ask = (key: string, waitSeconds = 25) =>
  admin.postProjectDataBucketInspect({ params, query: { key, waitSeconds } });

async function inspect(key: string): Promise<Inspection> {
  for (;;) {
    const answer = await ask(key);
    if (!('jobId' in answer)) return answer; // the machine may be busy
  }
}

async function countInspections(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from job where task_id is null`.execute(context.db);
  return rows[0]!.count;
}

const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const polygon = [
  [13.4, 52.5],
  [13.4, 52.6],
  [13.5, 52.6],
  [13.4, 52.5],
];
const parts = {
  ...encodeShp([{ type: 5, parts: [polygon] }]),
  dbf: encodeDbf({ fields: [{ name: 'NAME', type: 'C', length: 10 }], rows: [['Mitte     ']] }),
  prj: Buffer.from(wgs84),
};

const zipped = () =>
  zipOfFiles(
    Object.fromEntries(Object.entries(parts).map(([ending, content]) => [`district.${ending}`, content])),
  );

test('without a runner an inspection is refused with a reason, and nothing is queued', async () => {
  await assert.rejects(ask('cities.geojson'), (error: RequestFailed) => {
    assert.deepEqual([error.status, error.code], [409, 'conflict']);
    assert.match(error.message, /No runner/);
    return true;
  });
  assert.equal(await countInspections(), 0);
});

test('with a runner', async (t) => {
  const runners = await startRunner(service);
  t.after(() => runners.stop());

  await t.test('GeoJSON is inspected, and a task is suggested', async () => {
    const found = await inspect('cities.geojson');
    assert.deepEqual([found.key, found.format, found.formatTitle], ['cities.geojson', 'geojson', 'GeoJSON']);
    assert.deepEqual(found.issues, []);
    assert.deepEqual(found.layers, [
      {
        name: 'cities',
        geometryTypes: ['Point'],
        featureCount: 2,
        isEstimated: false,
        crs: { code: 'EPSG:4326', name: 'WGS 84', isGuessed: false },
        bbox: [-78.5, -0.2, 13.4, 52.5],
        isBboxEstimated: false,
        fields: [{ name: 'name', type: 'string', examples: ['Berlin', 'Quito'] }],
      },
    ]);
    const { jobType, options } = found.suggestion!;
    assert.equal(jobType, 'platenTilesVector');
    const parameters = { datasource: { command: 'create', name: 'Suggested' }, options };
    const task = await admin.postProjectTask({
      params: { projectId },
      body: tilingTask(bucketId, { parameters }),
    });
    const { items } = await admin.getProjectTasks({ params: { projectId } });
    assert.equal(items.length, 1);
    assert.equal(items[0]!.lastJob!._id, task.lastJobId);
    const jobs = await admin.getProjectJobs({ params: { projectId } });
    assert.deepEqual(
      jobs.items.map(({ _id }) => _id),
      [task.lastJobId],
      'inspections are in no list',
    );
    assert.equal((await admin.getProjectSummary({ params: { projectId } })).jobs, 1);
  });

  await t.test('a zipped shapefile is inspected', async () => {
    await put('district.zip', zipped());
    const { format, layers, issues, suggestion } = await inspect('district.zip');
    assert.equal(format, 'shapefile');
    assert.deepEqual(issues, []);
    assert.equal(layers.length, 1);
    assert.deepEqual(layers[0]!.crs, { code: 'EPSG:4326', name: 'WGS 84', isGuessed: false });
    assert.deepEqual(layers[0]!.bbox, [13.4, 52.5, 13.5, 52.6]);
    assert.deepEqual(layers[0]!.fields, [{ name: 'NAME', type: 'string', examples: ['Mitte'] }]);
    assert.equal(suggestion?.preset, 'small');
  });

  await t.test('a .shp is inspected with its companion files', async () => {
    for (const [ending, content] of Object.entries(parts)) await put(`loose/district.${ending}`, content);
    const { layers, issues, suggestion } = await inspect('loose/district.shp');
    assert.deepEqual(issues, []);
    assert.equal(layers[0]!.fields[0]!.name, 'NAME');
    const keys = (suggestion!.options['input'] as { dataBucketKey: string }[]).map(
      (one) => one.dataBucketKey,
    );
    assert.deepEqual(keys, [
      'loose/district.shp',
      'loose/district.dbf',
      'loose/district.prj',
      'loose/district.shx',
    ]);
    await admin.deleteProjectDataBucketObject({ params, query: { key: 'loose/district.dbf' } });
    const without = await inspect('loose/district.shp');
    assert.deepEqual(
      without.issues.map(({ code }) => code),
      ['missingAttributes'],
    );
  });

  await t.test('a table with projected coordinates is inspected', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => `${390_000 + i * 100};${5_819_000 + i * 70};Tree ${i}`);
    await put('trees.csv', ['x;y;name', ...rows].join('\n'));
    const { format, layers, issues, suggestion } = await inspect('trees.csv');
    assert.equal(format, 'csv');
    const issue = issues.find(({ code }) => code === 'projectedCoordinates')!;
    assert.match(issue.message, /trees\.csv are not longitudes.*EPSG:25832/);
    assert.equal(layers[0]!.crs!.isGuessed, true);
    assert.equal(layers[0]!.featureCount, 50);
    assert.equal((suggestion!.options['input'] as { crs: string }).crs, layers[0]!.crs!.code);
  });

  await t.test('an unreadable file has an inspection too', async () => {
    await put('photo.dat', Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 9, 8, 7]));
    const { format, layers, issues, suggestion } = await inspect('photo.dat');
    assert.deepEqual([format, layers, suggestion], [undefined, [], undefined]);
    assert.equal(issues[0]?.code, 'notRecognised');
    assert.match(issues[0].message, /photo\.dat.*unknown type/);
  });

  await t.test('a broken file keeps its format, and the position is named', async () => {
    await put(
      'broken.geojsonl',
      `{"type":"Feature","properties":{},"geometry":null}\n{"type":"Feature","prop`,
    );
    const { format, issues, suggestion } = await inspect('broken.geojsonl');
    assert.deepEqual([format, suggestion], ['geojson', undefined]);
    assert.match(issues[0]!.message, /broken\.geojsonl, line 2/);
  });

  await t.test('equal content is inspected once, and changed content again', async () => {
    const before = await countInspections();
    await inspect('cities.geojson');
    await admin.postProjectDataBucketUpload({ params, body: formOf('copies/cities.geojson') });
    const copy = await inspect('copies/cities.geojson');
    assert.equal(copy.key, 'copies/cities.geojson');
    assert.equal(await countInspections(), before);
    await put('cities.geojson', '{"type":"Point","coordinates":[1,2]}');
    assert.deepEqual((await inspect('cities.geojson')).layers[0]!.bbox, [1, 2, 1, 2]);
    assert.equal(await countInspections(), before + 1);
  });

  await t.test('an inspection that takes longer than the waiting time is reported with its job', async () => {
    await put('later.geojson', '{"type":"Point","coordinates":[3,4]}');
    const reply = await fetch(
      `${url}/api/v1/project/${projectId}/data-bucket/${bucketId}/inspect?key=later.geojson&waitSeconds=0`,
      { method: 'POST', headers: { authorization: `Bearer ${adminToken}` } },
    );
    assert.equal(reply.status, 202);
    const pending = (await reply.json()) as { jobId: string };
    const location = reply.headers.get('location')!;
    assert.equal(location, `/api/v1/project/${projectId}/job/${pending.jobId}`);
    assert.deepEqual((await inspect('later.geojson')).layers[0]!.bbox, [3, 4, 3, 4]);
    const job = await admin.getProjectJob({ params: { projectId, jobId: pending.jobId } });
    assert.deepEqual([job.state, job.taskId], ['succeeded', undefined]);
    assert.equal((job.report as { format: string }).format, 'geojson');
  });

  await t.test('a missing file is not inspected, and no task can request inspections', async () => {
    await assert.rejects(ask('nothing.geojson'), { status: 404 });
    const body = tilingTask(bucketId, { jobType: 'platenInspect' });
    await assert.rejects(admin.postProjectTask({ params: { projectId }, body }), { status: 422 });
    const { items } = await admin.getJobTypes();
    assert.ok(items.every(({ name }) => name !== 'Inspect'));
  });

  await t.test('a folder is inspected as one', async () => {
    for (const [ending, content] of Object.entries(parts)) await put(`folder/district.${ending}`, content);
    for (const key of ['folder/', 'folder']) {
      const found = await inspect(key);
      assert.deepEqual([found.key, found.format], ['folder/', 'shapefile']);
      assert.ok(found.size > 200);
      assert.deepEqual(found.layers[0]!.fields, [{ name: 'NAME', type: 'string', examples: ['Mitte'] }]);
      const { dataBucketKey } = found.suggestion!.options['input'] as { dataBucketKey: string };
      assert.equal(dataBucketKey, 'folder/');
    }
    const before = await countInspections();
    await inspect('folder/');
    assert.equal(await countInspections(), before);
    await put('folder/district.cpg', 'UTF-8');
    await inspect('folder/');
    assert.equal(await countInspections(), before + 1);
    await assert.rejects(ask('nowhere/'), { status: 404 });
  });

  await t.test('a file with the longest possible key is inspected', async () => {
    const key = `${'ü'.repeat(120)}/${'long '.repeat(49)}.geojson`;
    await put(key, '{"type":"Point","coordinates":[7,8]}');
    assert.deepEqual((await inspect(key)).layers[0]!.bbox, [7, 8, 7, 8]);
    await assert.rejects(ask('x'.repeat(10_000)), { status: 400 });
  });

  await t.test('lists can include a summary of each file', async () => {
    await inspect('loose/district.shp');
    await inspect('trees.csv');
    const keys = ['loose/district.shp', 'trees.csv', 'photo.dat', 'later.geojson', 'never.geojson'];
    const { items } = await admin.getProjectDataBucketObjects({ params, query: { limit: 100 } });
    assert.ok(items.length > 5);
    const files = await context.db.selectFrom('object').selectAll().where('key', 'in', keys).execute();
    const of = files.map(({ key, sha256 }) => ({ key, sha256: sha256.toString('hex') }));
    const found = await inspectionsOf(context.db, projectId, of);
    assert.deepEqual(found.get('loose/district.shp'), {
      format: 'shapefile',
      formatTitle: 'Shapefile',
      kind: 'vector',
      facts: {
        layers: 1,
        count: 1,
        isEstimated: false,
        shape: 'Polygon',
        crs: 'EPSG:4326',
        problems: 1,
      },
      summary: 'Shapefile · 1 polygon',
    });
    assert.equal(found.get('trees.csv')!.summary, 'CSV · 50 points');
    assert.match(found.get('photo.dat')!.summary, /photo\.dat/);
    assert.equal(found.has('never.geojson'), false);
    assert.equal((await inspectionsOf(context.db, projectId, [])).size, 0);
  });

  await t.test('uploads are inspected automatically', async () => {
    const looking = { ...context, settings: { ...context.settings, inspectUploads: true } };
    const file = { projectId, bucketId, by: adminId };
    const key = 'fresh.geojson';
    const before = await countInspections();
    await put(key, '{"type":"Point","coordinates":[9,9]}');
    await inspectAfterUpload(looking, { ...file, key });
    assert.equal(await countInspections(), before + 1);
    const { sha256 } = (await findObject(context.db, bucketId, key))!;
    const isKnown = async () => (await inspectionsOf(context.db, projectId, [{ key, sha256 }])).has(key);
    while (!(await isKnown())) await sleep(20);
    await inspectAfterUpload(looking, { ...file, key });
    assert.equal(await countInspections(), before + 1, 'what is known is not looked at again');
    assert.deepEqual((await inspect(key)).layers[0]!.bbox, [9, 9, 9, 9]);
    assert.equal(await countInspections(), before + 1);
  });

  await t.test('unused inspections are deleted, and results stay with their content', async () => {
    assert.ok((await countInspections()) > 5);
    offsetMs = 8 * 24 * 3_600_000;
    await context.db.updateTable('runner').set({ seen_at: context.now() }).execute();
    const { token } = await service.as().postLogin({
      body: { username: 'admin', password: 'correct horse battery' },
    });
    const later = service.as(token);
    // No file has this content any more.
    await sql`update inspection set sha256 = sha256('') where name = 'fresh.geojson'`.execute(context.db);
    await removeOldInspections(context);
    await put('new.geojson', '{"type":"Point","coordinates":[5,6]}');
    await later.postProjectDataBucketInspect({ params, query: { key: 'new.geojson' } });
    assert.equal(await countInspections(), 1);
    const kept = await later.postProjectDataBucketInspect({ params, query: { key: 'trees.csv' } });
    assert.ok('format' in kept && kept.format === 'csv');
    assert.equal(await countInspections(), 1);
    const { rows } = await sql`select from inspection where name = 'fresh.geojson'`.execute(context.db);
    assert.equal(rows.length, 0);
  });
});

function formOf(name: string): FormData {
  const form = new FormData();
  form.append(name, new Blob([cities]), 'cities.geojson');
  return form;
}
