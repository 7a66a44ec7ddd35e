import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewDatasource } from '@platen/contract/datasources';
import type { DataLink } from '@platen/contract/open-in';
import { archiveOf, flatGeobufOf, tiffOf } from '../serving/testing.ts';
import { digestOf } from '../../testing.ts';
import { imageArchive, imageFolder, origin, publish, serviceWith, upload } from './testing.ts';

const { service, params, register, ask, linksOf } = await serviceWith({
  ...imageFolder('tms', true),
  'images.pmtiles': imageArchive(),
  'places.pmtiles': archiveOf([[0, 0, 0, Buffer.from('tile')]]),
  'places.geojson': '{"type":"FeatureCollection","features":[]}',
  'areas.fgb': flatGeobufOf(),
  'it’s a $(photo) `x` & y!.tif': tiffOf(),
  'mesh/tileset.json': '{"asset":{"version":"1.0"},"root":{}}',
  'notes.txt': 'anything',
});
const { admin } = service;

const byKind = (items: readonly DataLink[]) =>
  Object.fromEntries(items.map(({ kind, url, command }) => [kind, command ?? url]));

test('each datasource type has absolute links for the programs that read it, and all of them answer', async () => {
  const cases: [NewDatasource['type'], string, string[]][] = [
    ['geojson', 'places.geojson', ['page', 'geojson', 'qgis', 'gdal']],
    ['flatgeobuf', 'areas.fgb', ['page', 'flatgeobuf', 'qgis', 'gdal']],
    ['tileset', 'mesh/', ['page', 'tileset']],
    ['vectortiles', 'places.pmtiles', ['page', 'tilejson', 'xyz', 'qgis', 'gdal']],
    ['tms', 'tms/', ['page', 'tilejson', 'xyz', 'wmts', 'qgis', 'qgisWmts', 'gdal']],
    ['tms', 'images.pmtiles', ['page', 'tilejson', 'xyz', 'wmts', 'qgis', 'qgisWmts', 'gdal']],
    ['generic', 'notes.txt', ['page', 'file']],
  ];
  for (const [type, key, kinds] of cases) {
    const id = await register(type, key);
    const { isPublic, items } = await linksOf(id);
    assert.equal(isPublic, false);
    assert.deepEqual(
      items.map(({ kind }) => kind),
      kinds,
      key,
    );
    for (const { kind, url, note } of items) {
      assert.ok(url.startsWith(`${origin}/`), url);
      assert.match(note!, /Authorization: Bearer/);
      const path = url.slice(origin.length);
      const place = kind === 'xyz' ? path.replace('{z}/{x}/{y}', '0/0/0') : path;
      const { statusCode } = await ask(place);
      assert.ok(statusCode === 200 || statusCode === 204, `${statusCode} for ${place}`);
      assert.equal((await ask(place, { token: undefined })).statusCode, 404, place);
    }
  }
});

test('links contain no token, and commands for private data ask for a login', async () => {
  const { adminToken } = service;
  const id = await register('geojson', 'places.geojson');
  const text = JSON.stringify(await linksOf(id));
  assert.ok(!text.includes(adminToken));
  assert.ok(!text.includes('/data/t/'));
  assert.match(text, /Bearer YOUR_TOKEN/);
});

test('data that a public app shows needs no login, and everyone can open its page', async () => {
  const id = await register('tms', 'images.pmtiles');
  assert.equal((await ask(`/open/${id}/`, { token: undefined })).statusCode, 404);
  assert.equal((await ask(`/open/${id}/`)).statusCode, 200);
  await publish(service, params, [id]);
  const { isPublic, items } = await linksOf(id);
  assert.equal(isPublic, true);
  assert.ok(items.every(({ note = '', command = '' }) => !`${note}${command}`.includes('Bearer')));
  const page = await ask(`/open/${id}/`, { token: undefined });
  assert.equal(page.statusCode, 200);
  assert.match(
    String(page.headers['content-security-policy']),
    /^default-src 'none'; script-src 'nonce-[\w-]{22}';/,
  );
  for (const { kind, url, command } of items)
    if (kind !== 'page') assert.ok(page.body.includes((command ?? url).replaceAll('"', '&quot;')), kind);
  assert.doesNotMatch(page.body, /<script(?![^>]* nonce="[\w-]{22}" src="\/open\/copy-[\da-f]{16}\.js")/);
  const german = await ask(`/open/${id}/`, { token: undefined, headers: { 'accept-language': 'de-AT,en' } });
  assert.match(german.body, /<html lang="de">/);
  assert.match(german.body, /data-copied="Kopiert"/);
  const script = await ask(/src="([^"]+)"/.exec(page.body)![1]!, { token: undefined });
  assert.match(String(script.headers['content-type']), /^text\/javascript/);
  assert.doesNotMatch(script.body, /: HTMLElement/);
});

test('when only a release makes the data public, the links name the revision that it pins', async () => {
  const { projectId, dataBucketId } = params;
  await upload(service, params, { 'old.pmtiles': archiveOf([[3, 0, 0, Buffer.from('tile')]]) });
  const id = await register('vectortiles', 'old.pmtiles');
  const layers = [{ type: 'VectorTileLayer', name: 'l', datasourceId: id }];
  const maps = [{ type: 'OpenlayersMap', name: 'flat' }];
  const { _id: moduleId } = await admin.postProjectModule({
    params: { projectId },
    body: { name: 'm', layers, maps },
  });
  const ofApp = await admin.postProjectApp({
    params: { projectId },
    body: { name: 'a', moduleIds: [moduleId] },
  });
  const where = { projectId, appId: ofApp._id };
  await admin.putProjectAppPublic({ params: where });
  const release = () => admin.postProjectAppRelease({ params: where });
  const shown = async () => {
    const { isPublic, items } = await linksOf(id);
    return { isPublic, urls: byKind(items), note: items.find(({ kind }) => kind === 'xyz')!.note };
  };
  const base = `${origin}/data/${id}`;
  await release();
  const before = await shown();
  assert.deepEqual([before.isPublic, before.urls['xyz']], [true, `${base}/~1/{z}/{x}/{y}.pbf`]);
  assert.match(before.note!, /as of the release/);
  await admin.putProjectDatasource({
    params: { projectId, datasourceId: id },
    body: { sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'places.pmtiles' } },
  });
  assert.deepEqual(await shown(), before, 'the links have the zoom levels of the release');
  assert.match(before.urls['gdal']!, /\/~1\/3"$/);
  assert.equal((await ask(`/data/${id}/~1/3/0/0.pbf`, { token: undefined })).body, 'tile');
  await release();
  assert.equal((await shown()).urls['xyz'], `${base}/~2/{z}/{x}/{y}.pbf`);
  await admin.postProjectAppReleaseRestore({ params: { ...where, releaseId: '1' } });
  assert.deepEqual(await shown(), before, 'a withdrawn release is only for maps that are still open');
  const statusOf = async (path: string) => (await ask(path, { token: undefined })).statusCode;
  assert.equal(await statusOf(`/open/${id}/`), 200);
  await admin.putProjectModule({ params: { projectId, moduleId }, body: { layers: [] } });
  await release();
  assert.equal(await statusOf(`/open/${id}/`), 404);
  assert.equal(await statusOf(`/data/${id}/~1/3/0/0.pbf`), 200);
  const { isPublic, urls } = await shown();
  assert.deepEqual([isPublic, urls['xyz']], [false, `${base}/{z}/{x}/{y}.pbf`]);
});

test('a page of an unknown datasource is not found', async () => {
  for (const id of ['none', '01'.repeat(13), 'a%00b', '..%2f..', 'x'.repeat(70)]) {
    const { statusCode, headers } = await ask(`/open/${id}/`);
    assert.equal(statusCode, 404, id);
    assert.match(String(headers['content-type']), /^text\/html/);
  }
});

test('commands can be pasted: shell syntax remains part of the address', async () => {
  const id = await register('cog', 'it’s a $(photo) `x` & y!.tif');
  const commandOf = async (datasourceId: string) => byKind((await linksOf(datasourceId)).items)['gdal']!;
  const own = await commandOf(id);
  assert.match(
    own,
    /^gdalinfo --config GDAL_HTTP_HEADERS "Authorization: Bearer YOUR_TOKEN" "\/vsicurl\/https:[^"$`\\!]+"$/,
  );
  const url = "https://x.example.org/a$(reboot)';reboot;!.tif?a=%41%";
  const elsewhere = await admin.postProjectDatasource({
    params,
    body: { name: 'x', type: 'cog', sourceProperties: { type: 'external', url } },
  });
  const command = await commandOf(elsewhere._id);
  assert.match(command, /^gdalinfo "\/vsicurl\/https:[^"$`\\!]+"$/);
  const { items } = await linksOf(elsewhere._id);
  assert.match(items.find(({ kind }) => kind === 'cog')!.note!, /another server/);
});

test('reading links, pages and documents changes nothing', async () => {
  const { context } = service;
  const id = await register('tms', 'images.pmtiles');
  const digest = await digestOf(context);
  await linksOf(id);
  await ask(`/open/${id}/`);
  await ask(`/data/${id}/qgis.qlr`);
  assert.equal(await digestOf(context), digest);
});
