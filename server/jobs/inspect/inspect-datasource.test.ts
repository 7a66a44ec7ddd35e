import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource, NewDatasource } from '@platen/contract/datasources';
import { sql } from 'kysely';
import { afterFile } from '../../../checks/clean-up.ts';
import { superUser } from '../../base/database/testing.ts';
import { askAddresses } from '../../datasources/facts/ask-addresses.ts';
import { dataRegistered } from '../../datasources/hooks.ts';
import { createDatasource } from '../../datasources/operations.ts';
import { startService } from '../../testing.ts';
import { cities, putFile } from '../tasks/testing.ts';
import { startRunner } from '../testing-runner.ts';

const capabilities = `<WMS_Capabilities version="1.3.0"><Service><Title>City</Title></Service><Capability><Layer>
<Title>All</Title><EX_GeographicBoundingBox><westBoundLongitude>9</westBoundLongitude>
<eastBoundLongitude>12</eastBoundLongitude><southBoundLatitude>48</southBoundLatitude>
<northBoundLatitude>52</northBoundLatitude></EX_GeographicBoundingBox>
${['trees', 'roads']
  .map(
    (
      name,
      i,
    ) => `<Layer><Name>${name}</Name><EX_GeographicBoundingBox><westBoundLongitude>${10 + i}</westBoundLongitude>
<eastBoundLongitude>${11 + i}</eastBoundLongitude><southBoundLatitude>50</southBoundLatitude>
<northBoundLatitude>51</northBoundLatitude></EX_GeographicBoundingBox></Layer>`,
  )
  .join('')}</Layer></Capability></WMS_Capabilities>`;

const service = await startService({ settings: { inspectUploads: true, fetchAllow: 'http 127.0.0.2/32' } });
const { admin, adminId, app, context } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const { _id: projectId, defaultDataBucketId: bucketId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };
const put = (key: string, text: string) => putFile(context, { projectId, bucketId, key, by: adminId }, text);
const register = (body: Omit<NewDatasource, 'name'>) =>
  admin.postProjectDatasource({ params, body: { name: 'D', ...body } });
const file = (dataBucketKey: string) =>
  ({ type: 'internal', dataBucketId: bucketId, dataBucketKey }) as const;
const read = (datasourceId: string) => admin.getProjectDatasource({ params: { projectId, datasourceId } });

/** Waits for what a runner or an address tells. */
async function until(id: string, isSo: (datasource: Datasource) => boolean): Promise<Datasource> {
  for (let tries = 0; tries < 400; tries++) {
    const datasource = await read(id);
    if (isSo(datasource)) return datasource;
    await sleep(50);
  }
  assert.fail(`nothing was found: ${JSON.stringify(await read(id))}`);
}

const runners = await startRunner(service);
afterFile(() => runners.stop());
const whole = [-78.5, -0.2, 13.4, 52.5];

test('a datasource of a file has what the inspection finds, now and after the file was changed', async () => {
  await put('a.geojson', cities);
  const { _id } = await register({ type: 'geojson', sourceProperties: file('a.geojson') });
  const made = await until(_id, ({ facts }) => facts !== undefined);
  assert.deepEqual(made.bbox, whole);
  assert.equal(made.facts?.numberOfFeatures, 2);
  assert.deepEqual(made.facts.attributes, [{ name: 'name', type: 'string' }]);
  const { items } = await admin.getProjectDatasources({ params, query: { bbox: '13,52,14,53' } });
  assert.deepEqual(
    items.map((item) => item._id),
    [_id],
    'lists find it by its extent',
  );
  const layer = await admin.getProjectDatasourceConfig({ params: { projectId, datasourceId: _id } });
  assert.deepEqual((layer['extent'] as { coordinates: unknown }).coordinates, whole);

  // equal content is known at once
  await put('folder/a.geojson', cities);
  const again = await register({ type: 'geojson', sourceProperties: file('folder/a.geojson') });
  assert.deepEqual([again.bbox, again.facts?.numberOfFeatures], [whole, 2]);

  const one = JSON.parse(cities) as { features: unknown[] };
  await put('a.geojson', JSON.stringify({ ...one, features: one.features.slice(0, 1) }));
  const changed = await until(_id, ({ facts }) => facts?.numberOfFeatures === 1);
  assert.deepEqual(changed.bbox, [13.4, 52.5, 13.4, 52.5]);
});

test('an extent that was given stays', async () => {
  await put('given.geojson', cities);
  const bbox = [0, 0, 1, 1];
  const { _id } = await register({ type: 'geojson', bbox, sourceProperties: file('given.geojson') });
  const made = await until(_id, ({ facts }) => facts !== undefined);
  assert.deepEqual([made.bbox, made.facts?.bbox], [bbox, whole]);
});

let asked = 0;
let isSlow = false;
let isAway = false;
const web = createServer(async (_request, response) => {
  asked++;
  while (isSlow) await sleep(10);
  response.writeHead(isAway ? 503 : 200).end(capabilities);
}).listen(0, '127.0.0.2');
afterFile(() => web.close());
await new Promise((resolve) => web.once('listening', resolve));
const url = `http://127.0.0.2:${(web.address() as AddressInfo).port}/wms`;
const source = { type: 'external', url } as const;

test('a datasource at an address has what the address tells of the layers it shows, after its request', async () => {
  const made = await register({
    type: 'wms',
    typeProperties: { layers: ['roads'] },
    sourceProperties: source,
  });
  const found = await until(made._id, ({ facts }) => facts !== undefined);
  assert.deepEqual(found.bbox, [11, 50, 12, 51]);
  assert.ok(asked > 0);
  const layer = await admin.getProjectDatasourceConfig({ params: { projectId, datasourceId: made._id } });
  assert.deepEqual([layer['layers'], layer['version']], ['roads', '1.3.0']);
  const refused = { type: 'external', url: 'http://127.0.0.1/wms' } as const;
  const other = await register({ type: 'wms', sourceProperties: refused });
  assert.equal((await read(other._id)).facts, undefined);
});

async function untilAsked(wanted: number): Promise<void> {
  for (let tries = 0; tries < 1000 && asked < wanted; tries++) await sleep(10);
  assert.ok(asked >= wanted, `asked ${asked} times instead of ${wanted}`);
}

async function untilPostponed(id: string): Promise<void> {
  const soon = new Date(Date.now() + 30 * 60_000);
  const isSoon = () => sql`select from datasource where id = ${id} and ask_at <= ${soon}`.execute(context.db);
  for (let tries = 0; tries < 1000 && (await isSoon()).rows.length > 0; tries++) await sleep(10);
}

test('an address that could not be asked, or did not answer, is asked again later', async () => {
  const wms = (path: string) => ({ type: 'external', url: `${url}/${path}` }) as const;
  const after = (minutes: number) => ({ ...context, now: () => new Date(Date.now() + minutes * 60_000) });
  const factsOf = async (id: string) => (await read(id)).facts?.bbox;
  isSlow = true;
  const before = asked;
  const busy = Array.from({ length: 4 }, () => admin.postProjectDatasourceProbe({ params, body: { url } }));
  await untilAsked(before + 4);
  const late = await register({ type: 'wms', sourceProperties: source });
  isSlow = false;
  await Promise.all(busy);
  assert.equal(await factsOf(late._id), undefined);
  await askAddresses(after(0));
  assert.equal(await factsOf(late._id), undefined, 'it is not asked again at once');
  await askAddresses(after(2));
  assert.deepEqual(await factsOf(late._id), [9, 48, 12, 52]);

  isAway = true;
  const unanswered = await register({ type: 'wms', sourceProperties: wms('away') });
  await untilPostponed(unanswered._id);
  isAway = false;
  await askAddresses(after(30));
  assert.equal(await factsOf(unanswered._id), undefined);
  await askAddresses(after(90));
  assert.deepEqual(await factsOf(unanswered._id), [9, 48, 12, 52]);

  // a service that ended has not asked at all
  const { db, settings } = context;
  const quiet = { ...context, settings: { ...settings, inspectUploads: false } };
  const body = { name: 'D', type: 'wms', sourceProperties: wms('ended') } as const;
  const { _id: ended } = await createDatasource(quiet, superUser(adminId), { projectId, body });
  await askAddresses(after(2));
  assert.deepEqual(await factsOf(ended), [9, 48, 12, 52]);
  const { rows } = await sql`select from datasource where ask_at is not null and facts is not null`.execute(
    db,
  );
  assert.equal(rows.length, 0);
});

test('what is found first is no new revision, so a change by the first one is accepted', async () => {
  const made = await register({ type: 'wms', sourceProperties: source });
  const found = await until(made._id, ({ facts }) => facts !== undefined);
  assert.deepEqual([found.revision, found.updatedAt], [made.revision, made.updatedAt]);
  const { rows } = await sql<{ revision: number }>`select revision from project_change
    where resource_id = ${made._id} and action = 'changed'`.execute(context.db);
  assert.deepEqual(rows, [{ revision: 1 }], 'those who watch the project learn of it');
  const { statusCode } = await app.inject({
    url: `/api/v1/project/${projectId}/datasource/${made._id}`,
    headers: { authorization: `Bearer ${service.adminToken}`, 'if-none-match': '"1"' },
  });
  assert.equal(statusCode, 200);
  const changed = await admin.putProjectDatasource({
    params: { projectId, datasourceId: made._id },
    body: { name: 'other' },
    headers: { 'if-match': '"1"' },
  });
  assert.equal(changed.revision, 2);
});

test('requests with an Idempotency-Key or If-Match are completed once they are committed', async () => {
  // a failed statement makes its transaction useless
  const spoil = (inside: typeof context) => sql`select 1 / 0`.execute(inside.db).catch(() => {});
  dataRegistered.connect(spoil);
  const body = { name: 'K', type: 'wms', sourceProperties: source } as const;
  const headers = { 'idempotency-key': 'once' };
  const { _id: datasourceId } = await admin.postProjectDatasource({ params, body, headers });
  await until(datasourceId, ({ facts }) => facts !== undefined);
  isSlow = true;
  const moved = await admin.putProjectDatasource({
    params: { projectId, datasourceId },
    body: { sourceProperties: { ...source, url: `${url}?other` } },
    headers: { 'if-match': '"1"' },
  });
  isSlow = false;
  assert.deepEqual([moved.revision, moved.facts], [2, undefined]);
  await until(datasourceId, ({ facts }) => facts !== undefined);
});
