import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { startService } from '../../testing.ts';
import { candidatesOf, serviceAddress } from './candidates.ts';
import { fromCapabilities } from './capabilities.ts';
import { afterFile } from '../../../checks/clean-up.ts';

const wms = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "boom">]>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service><Title>Stadt &amp; Land &e;</Title></Service>
<Capability><!-- <Layer><Name>no</Name></Layer> --><Layer><Title>All</Title>
<Attribution><Title>© Stadt Ulm</Title><OnlineResource/></Attribution>
<EX_GeographicBoundingBox><westBoundLongitude>9</westBoundLongitude><eastBoundLongitude>10</eastBoundLongitude>
<southBoundLatitude>48</southBoundLatitude><northBoundLatitude>49</northBoundLatitude></EX_GeographicBoundingBox>
<Layer queryable="1"><Name>trees</Name><Title><![CDATA[Trees <b>]]></Title></Layer>
<Layer><Name>roads</Name><EX_GeographicBoundingBox><westBoundLongitude>9.1</westBoundLongitude>
<eastBoundLongitude>9.2</eastBoundLongitude><southBoundLatitude>48.1</southBoundLatitude>
<northBoundLatitude>48.2</northBoundLatitude></EX_GeographicBoundingBox></Layer></Layer></Capability></WMS_Capabilities>`;
const wmts = `<Capabilities xmlns:ows="o"><ows:ServiceIdentification><ows:Title>Luftbild</ows:Title></ows:ServiceIdentification>
<ows:ServiceProvider><ows:ProviderName>Land BW</ows:ProviderName></ows:ServiceProvider>
<Contents><Layer><ows:Title>DOP</ows:Title><ows:WGS84BoundingBox><ows:LowerCorner>7 47</ows:LowerCorner>
<ows:UpperCorner>11 50</ows:UpperCorner></ows:WGS84BoundingBox><ows:Identifier>dop</ows:Identifier>
<Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style><Format>image/jpeg</Format>
<TileMatrixSetLink><TileMatrixSet>UTM32</TileMatrixSet></TileMatrixSetLink>
<TileMatrixSetLink><TileMatrixSet>WEBM</TileMatrixSet></TileMatrixSetLink></Layer>
<TileMatrixSet><ows:Identifier>UTM32</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::25832</ows:SupportedCRS></TileMatrixSet>
<TileMatrixSet><ows:Identifier>WEBM</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS></TileMatrixSet>
</Contents></Capabilities>`;

const service = await startService({ settings: { fetchAllow: 'http 127.0.0.2/32' } });
const { admin } = service;
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const answers: Record<string, string | Buffer> = {
  '/geoserver/ows?map=a&SERVICE=WMS&REQUEST=GetCapabilities': wms,
  '/wmts?SERVICE=WMTS&REQUEST=GetCapabilities': wmts,
  '/city/tileset.json': JSON.stringify({ asset: { version: '1.0' }, root: {} }),
  '/dem/layer.json': JSON.stringify({ format: 'quantized-mesh-1.0', tiles: [], bounds: [9, 48, 10, 49] }),
  '/tiles.json': JSON.stringify({
    tilejson: '3.0.0',
    name: 'Streets',
    tiles: ['t/{z}/{x}/{y}.pbf'],
    minzoom: 0,
    maxzoom: 12,
    bounds: [9, 48, 10, 49],
    vector_layers: [],
    attribution: '<a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap contributors</a>',
  }),
  '/percent.json': JSON.stringify({ tilejson: '3.0.0', tiles: ['/100%/{z}/{x}/{y}.png'] }),
  '/broken.json': JSON.stringify({ tilejson: '3.0.0', tiles: ['https://[/{z}/{x}/{y}.png'] }),
  '/trees': `{"type":"FeatureCollection","features":[${'{"a":1},'.repeat(400_000)}`,
  '/a.fgb': Buffer.from('6667620366676200', 'hex'),
  '/page': '<html><body>Hello</body></html>',
};
const held: ServerResponse[] = [];
const web = createServer(({ url = '' }, response) => {
  if (url === '/slow') held.push(response);
  else if (url === '/inside') response.writeHead(302, { location: 'http://127.0.0.1/' }).end();
  else if (url in answers) response.end(answers[url]);
  else response.writeHead(404).end();
}).listen(0, '127.0.0.2');
afterFile(() => web.close());
await new Promise((resolve) => web.once('listening', resolve));
const from = `http://127.0.0.2:${(web.address() as AddressInfo).port}`;
const probe = (url: string) => admin.postProjectDatasourceProbe({ params: { projectId }, body: { url } });

test('a map service is described with its layers, and registered without the parameters of one request', async () => {
  const found = await probe(`${from}/geoserver/ows?map=a&service=WMS&version=1.1.1&request=GetMap&layers=x`);
  assert.deepEqual(found, {
    url: `${from}/geoserver/ows?map=a`,
    type: 'wms',
    title: 'Stadt & Land &e;',
    attribution: 'Stadt Ulm',
    bbox: [9, 48, 10, 49],
    layers: [
      { name: 'trees', title: 'Trees <b>', bbox: [9, 48, 10, 49] },
      { name: 'roads', bbox: [9.1, 48.1, 9.2, 48.2] },
    ],
    typeProperties: { version: '1.3.0' },
  });
  const tiled = await probe(`${from}/wmts`);
  assert.deepEqual([tiled.type, tiled.attribution], ['wmts', 'Land BW']);
  assert.deepEqual(tiled.typeProperties, {
    tilingSchema: 'mercator',
    tileMatrixSetID: 'WEBM',
    format: 'image/jpeg',
    style: 'default',
  });
  assert.deepEqual(tiled.bbox, [7, 47, 11, 50]);
});

test('tilesets, terrain, tiles and files are recognised by their responses', async () => {
  assert.equal((await probe(`${from}/city/tileset.json`)).type, 'tileset');
  const folder = await probe(`${from}/city`);
  assert.deepEqual([folder.type, folder.url], ['tileset', `${from}/city/tileset.json`]);
  for (const url of [`${from}/dem`, `${from}/dem/layer.json`]) {
    const terrain = await probe(url);
    assert.deepEqual([terrain.type, terrain.url, terrain.bbox], ['qmesh', `${from}/dem`, [9, 48, 10, 49]]);
  }
  const tiles = await probe(`${from}/tiles.json`);
  assert.deepEqual([tiles.type, tiles.url], ['vectortiles', `${from}/t/{z}/{x}/{y}.pbf`]);
  assert.deepEqual(tiles.typeProperties, { minZoom: 0, maxZoom: 12 });
  assert.equal(tiles.attribution, 'OpenStreetMap contributors');
  const percent = await probe(`${from}/percent.json`);
  assert.equal(percent.url, `${from}/100%/{TileMatrix}/{TileCol}/{TileRow}.png`);
  assert.equal((await probe(`${from}/trees`)).type, 'geojson');
  assert.equal((await probe(`${from}/a.fgb`)).type, 'flatgeobuf');
  const images = await probe('https://tiles.example.org/{z}/{x}/{y}.png');
  assert.equal(images.url, 'https://tiles.example.org/{TileMatrix}/{TileCol}/{TileRow}.png');
});

test('an unknown or missing address is reported as a problem', async () => {
  for (const path of ['/page', '/absent.json', '/broken.json']) {
    const { type, problem } = await probe(from + path);
    assert.equal(type, undefined);
    assert.match(problem!, /not with a known type/);
  }
});

test('no address leads to this service or its network', async () => {
  for (const url of [`${from}/inside`, 'http://127.0.0.1/', 'https://[::1]:5432/', 'ftp://a.example/', 'x']) {
    await assert.rejects(probe(url), (error: RequestFailed) => error.status === 400, url);
  }
});

test('hostile documents cost nothing', async () => {
  const before = process.threadCpuUsage();
  await fromCapabilities(`<WMS_Capabilities><${'x '.repeat(500_000)}`);
  await fromCapabilities('<!--'.repeat(300_000));
  await fromCapabilities(`<WMS_Capabilities ${'a="'.repeat(300_000)}>`);
  const { user, system } = process.threadCpuUsage(before);
  assert.ok((user + system) / 1000 < 2000);
});

test('addresses of services keep what they need, and likely ones are tried first', () => {
  assert.equal(
    serviceAddress(new URL('https://a.example/w?MAP=x&REQUEST=GetMap#y')),
    'https://a.example/w?MAP=x',
  );
  const [first] = candidatesOf(new URL('https://a.example/geoserver/wms'));
  assert.match(first!.probe.href, /SERVICE=WMS&REQUEST=GetCapabilities/);
  assert.equal(candidatesOf(new URL('https://a.example/a.geojson')).length, 1);
});

test('one project checks few addresses at a time, and others still check theirs', async () => {
  const { _id: otherId } = await admin.postProject({
    body: { name: 'Town', description: '', bbox: [-180, -85, 180, 85] },
  });
  const slow = Array.from({ length: 4 }, () => probe(`${from}/slow`));
  while (held.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  await assert.rejects(probe(`${from}/a.fgb`), { status: 429 });
  const other = { params: { projectId: otherId }, body: { url: `${from}/a.fgb` } };
  assert.equal((await admin.postProjectDatasourceProbe(other)).type, 'flatgeobuf');
  const ending = setInterval(() => held.splice(0).forEach((response) => response.end()), 10);
  await Promise.all(slow).finally(() => clearInterval(ending));
  assert.equal((await probe(`${from}/a.fgb`)).type, 'flatgeobuf');
});
