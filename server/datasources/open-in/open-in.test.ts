import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { NewDatasource } from '@platen/contract/datasources';
import type { DataLink } from '@platen/contract/open-in';
import {
  archiveOf,
  askFor,
  flatGeobufOf,
  registerFile,
  tiffOf,
  type DataQuery,
  type BucketPath,
} from '../serving/testing.ts';
import { digestOf, startService } from '../../testing.ts';
import { imageArchive, imageFolder, newPlace, north, picture, publish, south, upload } from './testing.ts';

const service = startService({ settings: { publicUrl: 'https://maps.example.org' } });
const origin = 'https://maps.example.org';
let params: BucketPath;

before(async () => {
  params = await newPlace(await service);
  await upload(await service, params, {
    ...imageFolder('tms', true),
    ...imageFolder('xyz', false),
    ...imageFolder('geo', true),
    'rows/1/0/1.png': picture(south),
    'images.pmtiles': imageArchive(),
    'places.pmtiles': archiveOf([[0, 0, 0, Buffer.from('tile')]]),
    'places.geojson': '{"type":"FeatureCollection","features":[]}',
    'areas.fgb': flatGeobufOf(),
    'it’s a $(photo) `x` & y!.tif': tiffOf(),
    'mesh/tileset.json': '{"asset":{"version":"1.0"},"root":{}}',
    'notes.txt': 'anything',
  });
});

const register = async (type: NewDatasource['type'], key: string) =>
  registerFile(await service, params, type, key);
const ask = async (path: string, options: DataQuery = {}) => askFor(await service, path, options);
const linksOf = async (datasourceId: string) =>
  (await service).admin.getProjectDatasourceLinks({ params: { ...params, datasourceId } });
const byKind = (items: readonly DataLink[]) =>
  Object.fromEntries(items.map(({ kind, url, command }) => [kind, command ?? url]));

/** Each element ends, and nothing is left over: what a parser of XML sees to first. */
function assertWellFormed(xml: string): void {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml [^>]*\?>\n/, '').replace(/^<!DOCTYPE [\w-]+>\n/, '');
  assert.doesNotMatch(body, /&(?!(?:amp|lt|gt|quot|#39);)/);
  for (const [, end, name, rest] of body.matchAll(/<(\/?)([\w:-]+)((?:\s+[\w:]+="[^"<]*")*)\s*\/?>/g)) {
    if (end) assert.equal(open.pop(), name);
    else if (!body.includes(`<${name}${rest}/>`)) open.push(name!);
  }
  assert.deepEqual(open, []);
  const left = body.replaceAll(/<\/?[\w:-]+(?:\s+[\w:]+="[^"<]*")*\s*\/?>/g, '');
  assert.doesNotMatch(left, /[<>]/);
}

test('each type of data has the addresses that programs start with, absolute, and all of them answer', async () => {
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

test('nothing that is handed out holds a token, and what is private asks for a login in its command', async () => {
  const { adminToken } = await service;
  const id = await register('geojson', 'places.geojson');
  const text = JSON.stringify(await linksOf(id));
  assert.ok(!text.includes(adminToken));
  assert.ok(!text.includes('/data/t/'));
  assert.match(text, /Bearer YOUR_TOKEN/);
});

test('data that a public app shows needs no login, and the page is there for everybody', async () => {
  const id = await register('tms', 'images.pmtiles');
  assert.equal((await ask(`/open/${id}/`, { token: undefined })).statusCode, 404);
  assert.equal((await ask(`/open/${id}/`)).statusCode, 200);
  await publish(await service, params, [id]);
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

test('where only a release shows the data to everybody, the addresses name the revision that it pins', async () => {
  const { admin } = await service;
  const { projectId, dataBucketId } = params;
  await upload(await service, params, { 'old.pmtiles': archiveOf([[3, 0, 0, Buffer.from('tile')]]) });
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
  assert.deepEqual(await shown(), before, 'with the zooms of what was released');
  assert.match(before.urls['gdal']!, /\/~1\/3"$/);
  assert.equal((await ask(`/data/${id}/~1/3/0/0.pbf`, { token: undefined })).body, 'tile');
  await release();
  assert.equal((await shown()).urls['xyz'], `${base}/~2/{z}/{x}/{y}.pbf`);
  await admin.postProjectAppReleaseRestore({ params: { ...where, releaseId: '1' } });
  assert.deepEqual(await shown(), before, 'what was withdrawn is only for maps that are open');
  const statusOf = async (path: string) => (await ask(path, { token: undefined })).statusCode;
  assert.equal(await statusOf(`/open/${id}/`), 200);
  await admin.putProjectModule({ params: { projectId, moduleId }, body: { layers: [] } });
  await release();
  assert.equal(await statusOf(`/open/${id}/`), 404);
  assert.equal(await statusOf(`/data/${id}/~1/3/0/0.pbf`), 200);
  const { isPublic, urls } = await shown();
  assert.deepEqual([isPublic, urls['xyz']], [false, `${base}/{z}/{x}/{y}.pbf`]);
});

test('what is no datasource is not there, for nobody', async () => {
  for (const id of ['none', '01'.repeat(13), 'a%00b', '..%2f..', 'x'.repeat(70)]) {
    const { statusCode, headers } = await ask(`/open/${id}/`);
    assert.equal(statusCode, 404, id);
    assert.match(String(headers['content-type']), /^text\/html/);
  }
});

test('hostile names stay text, in the page and in every document', async () => {
  const { admin } = await service;
  const hostile = `"><script>alert(1)</script>]]>&amp;'\u0001\uFFFE`;
  const { _id: id } = await admin.postProjectDatasource({
    params,
    body: {
      name: hostile,
      description: hostile,
      type: 'tms',
      sourceProperties: {
        type: 'internal',
        dataBucketId: params.dataBucketId,
        dataBucketKey: 'images.pmtiles',
      },
    },
  });
  const page = await ask(`/open/${id}/`);
  assert.equal(page.body.match(/<script/g)?.length, 1);
  for (const name of ['WMTSCapabilities.xml', 'qgis.qlr', 'qgis-wmts.qlr']) {
    const { statusCode, headers, body } = await ask(`/data/${id}/${name}`);
    assert.equal(statusCode, 200);
    assert.equal(headers['content-disposition'], `attachment; filename="${name}"`);
    for (const part of ['<script', '\u0001', '\uFFFE']) assert.ok(!body.includes(part));
    assertWellFormed(body);
  }
});

test('commands can be pasted: what a shell would run stays a part of the address', async () => {
  const { admin } = await service;
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

test('a WMTS says where its tiles are, and gives them by both of its ways', async () => {
  const id = await register('tms', 'images.pmtiles');
  const { body, headers } = await ask(`/data/${id}/WMTSCapabilities.xml`);
  assert.equal(headers['content-type'], 'application/xml');
  assertWellFormed(body);
  assert.match(body, /<Capabilities [^>]*version="1.0.0">/);
  assert.ok(body.includes(`template="${origin}/data/${id}/xyz/{TileMatrix}/{TileCol}/{TileRow}.png"`));
  assert.match(body, /<ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</);
  // of zoom 1: half of 559082264.0287178
  assert.ok(Math.abs(Number(/<ScaleDenominator>([^<]+)/.exec(body)![1]) - 279_541_132.014) < 1);
  assert.match(
    body,
    /<MinTileRow>0<\/MinTileRow><MaxTileRow>1<\/MaxTileRow><MinTileCol>0<\/MinTileCol><MaxTileCol>1</,
  );
  const kvp = await ask(`/data/${id}/wmts?SERVICE=WMTS&Request=GetCapabilities`);
  assert.equal(kvp.body, body);
  const tile = await ask(
    `/data/${id}/wmts?service=wmts&request=GetTile&version=1.0.0&layer=tiles&style=default&format=image/png&tilematrixset=GoogleMapsCompatible&TILEMATRIX=1&TILEROW=0&TILECOL=1`,
  );
  assert.deepEqual(tile.rawPayload, picture(north));
  assert.deepEqual((await ask(`/data/${id}/xyz/1/1/1.png`)).rawPayload, picture(south));
  // of a TMS, whose own rows count from the south
  assert.deepEqual((await ask(`/data/${id}/1/1/1.png`)).rawPayload, picture(north));
  for (const path of ['xyz/5/1/1.png', 'xyz/1/0/2.png', 'xyz/99/0/0.png', 'xyz/31/4294967296/0.png'])
    assert.equal((await ask(`/data/${id}/${path}`)).statusCode, 204, path);
  for (const query of [
    '',
    '?service=WMS&request=GetCapabilities',
    '?service=WMTS',
    '?service=WMTS&request=GetTile',
    '?service=WMTS&request=GetTile&TileMatrix=1&TileRow=-1&TileCol=x',
    '?service=WMTS&request=GetTile&TileMatrix=1e1&TileRow=0&TileCol=0',
  ])
    assert.equal((await ask(`/data/${id}/wmts${query}`)).statusCode, 400, query);
  const head = await ask(`/data/${id}/WMTSCapabilities.xml`, { method: 'HEAD' });
  assert.deepEqual([head.statusCode, head.body], [200, '']);
  assert.equal(Number(head.headers['content-length']), Buffer.byteLength(body));
});

test('images are found by the template of their datasource, and those in degrees have no WMTS', async () => {
  const { admin } = await service;
  const post = (dataBucketKey: string, fields: object, urlSuffix?: string) =>
    admin.postProjectDatasource({
      params,
      body: {
        name: dataBucketKey,
        type: 'wmts',
        bbox: [-180, -85, 180, 85],
        sourceProperties: {
          type: 'internal',
          dataBucketId: params.dataBucketId,
          dataBucketKey,
          ...(urlSuffix !== undefined && { urlSuffix }),
        },
        ...fields,
      },
    });
  const rows = await post('rows/', {}, '{TileMatrix}/{TileRow}/{TileCol}.png');
  assert.deepEqual((await ask(`/data/${rows._id}/xyz/1/1/0.png`)).rawPayload, picture(south));
  assert.equal((await ask(`/data/${rows._id}/xyz/1/0/1.png`)).statusCode, 204);
  const plain = await post('xyz/', { typeProperties: { maxLevel: 1 } });
  const { tiles, maxzoom, scheme } = JSON.parse((await ask(`/data/${plain._id}/tiles.json`)).body) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    { tiles, maxzoom, scheme },
    { tiles: [`${origin}/data/${plain._id}/xyz/{z}/{x}/{y}.png`], maxzoom: 1, scheme: 'xyz' },
  );
  const geo = await post('geo/', { typeProperties: { tilingSchema: 'geographic' } });
  for (const name of ['WMTSCapabilities.xml', 'wmts', 'qgis.qlr', 'qgis-wmts.qlr', 'xyz/0/0/0.png'])
    assert.equal((await ask(`/data/${geo._id}/${name}`)).statusCode, 404, name);
  assert.deepEqual(
    (await linksOf(geo._id)).items.map(({ kind }) => kind),
    ['page', 'file'],
  );
});

test('a TileJSON of a TMS names tiles whose rows count from the north, as it says', async () => {
  const id = await register('tms', 'images.pmtiles');
  const { tiles, scheme, minzoom } = JSON.parse((await ask(`/data/${id}/tiles.json`)).body) as {
    tiles: string[];
    scheme: string;
    minzoom: number;
  };
  assert.deepEqual([scheme, minzoom], ['xyz', 1]);
  const path = tiles[0]!.slice(origin.length).replace('{z}/{x}/{y}', '1/0/0');
  assert.deepEqual((await ask(path)).rawPayload, picture(north));
});

test('a layer definition has what QGIS reads: a tree, the layer, its provider, source and system', async () => {
  const cases: [NewDatasource['type'], string, string, string, string][] = [
    [
      'vectortiles',
      'places.pmtiles',
      'vector-tile',
      'xyzvectortiles',
      '%7Bz%7D/%7Bx%7D/%7By%7D.pbf&amp;zmax=0&amp;zmin=0',
    ],
    ['tms', 'images.pmtiles', 'raster', 'wms', '/xyz/%7Bz%7D/%7Bx%7D/%7By%7D.png&amp;zmax=1&amp;zmin=1'],
    ['cog', 'it’s a $(photo) `x` & y!.tif', 'raster', 'gdal', '/vsicurl/https://maps.example.org/data/'],
    ['flatgeobuf', 'areas.fgb', 'vector', 'ogr', '/areas.fgb'],
    ['geojson', 'places.geojson', 'vector', 'ogr', '/places.geojson'],
  ];
  for (const [type, key, layerType, provider, source] of cases) {
    const id = await register(type, key);
    const { body, statusCode } = await ask(`/data/${id}/qgis.qlr`);
    assert.equal(statusCode, 200, key);
    assertWellFormed(body);
    assert.match(body, /^<\?xml [^>]+\?>\n<!DOCTYPE qgis-layer-definition>\n<qlr>/);
    assert.ok(body.includes(`<maplayer type="${layerType}">`), key);
    assert.ok(body.includes(`<provider>${provider}</provider>`), key);
    const [, inTree] = /<layer-tree-layer id="([^"]+)"/.exec(body)!;
    assert.equal(/<id>([^<]+)<\/id>/.exec(body)![1], inTree);
    const datasource = /<datasource>([^<]+)<\/datasource>/.exec(body)![1]!;
    assert.ok(datasource.includes(source), datasource);
    assert.ok(datasource.includes(id));
  }
  const plain = await register('generic', 'notes.txt');
  for (const name of ['qgis.qlr', 'other.qlr', 'WMTSCapabilities.xml', 'tiles.json', 'wmts', 'xyz/0/0/0.png'])
    assert.equal((await ask(`/data/${plain}/${name}`)).statusCode, 404, name);
});

test('below a path that opens data to one user there are no documents to keep', async () => {
  const { admin } = await service;
  const id = await register('tms', 'images.pmtiles');
  const layers = [{ type: 'TMSLayer', name: 't', datasourceId: id }];
  const { projectId } = params;
  const module = await admin.postProjectModule({ params: { projectId }, body: { name: 'm', layers } });
  const app = await admin.postProjectApp({
    params: { projectId },
    body: { name: 'a', moduleIds: [module._id] },
  });
  const { token } = await admin.postProjectAppCapability({ params: { projectId, appId: app._id } });
  const below = `/data/t/${token}/${id}`;
  assert.equal((await ask(`${below}/xyz/1/0/0.png`, { token: undefined })).statusCode, 200);
  for (const name of ['WMTSCapabilities.xml', 'wmts?service=WMTS&request=GetCapabilities', 'qgis.qlr'])
    assert.equal((await ask(`${below}/${name}`, { token: undefined })).statusCode, 404, name);
});

test('asking changes nothing', async () => {
  const { context } = await service;
  const id = await register('tms', 'images.pmtiles');
  const digest = await digestOf(context);
  await linksOf(id);
  await ask(`/open/${id}/`);
  await ask(`/data/${id}/qgis.qlr`);
  assert.equal(await digestOf(context), digest);
});
