import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewDatasource } from '@platen/contract/datasources';
import { archiveOf, flatGeobufOf, tiffOf } from '../serving/testing.ts';
import { imageArchive, imageFolder, north, origin, picture, serviceWith, south } from './testing.ts';

const { service, params, register, ask, linksOf } = await serviceWith({
  ...imageFolder('xyz', false),
  ...imageFolder('geo', true),
  'rows/1/0/1.png': picture(south),
  'images.pmtiles': imageArchive(),
  'places.pmtiles': archiveOf([[0, 0, 0, Buffer.from('tile')]]),
  'places.geojson': '{"type":"FeatureCollection","features":[]}',
  'areas.fgb': flatGeobufOf(),
  'it’s a $(photo) `x` & y!.tif': tiffOf(),
  'notes.txt': 'anything',
});
const { admin } = service;

/** Checks that each element ends and that no markup is left over, as an XML parser does first. */
function assertWellFormed(xml: string): void {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml [^>]*\?>\n/, '').replace(/^<!DOCTYPE [\w-]+>\n/, '');
  assert.doesNotMatch(body, /&(?!(?:amp|lt|gt|quot|#39);)/);
  for (const [, end, name, rest] of body.matchAll(/<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*\/?>/g)) {
    if (end) assert.equal(open.pop(), name);
    else if (!body.includes(`<${name}${rest}/>`)) open.push(name!);
  }
  assert.deepEqual(open, []);
  const left = body.replaceAll(/<\/?[\w:-]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');
  assert.doesNotMatch(left, /[<>]/);
}

test('hostile names remain text in the page and in every document', async () => {
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
  for (const name of ['WMTSCapabilities.xml', 'tilemapresource.xml', 'qgis.qlr', 'qgis-wmts.qlr']) {
    const { statusCode, headers, body } = await ask(`/data/${id}/${name}`);
    assert.equal(statusCode, 200);
    assert.equal(headers['content-disposition'], `attachment; filename="${name}"`);
    for (const part of ['<script', '\u0001', '\uFFFE']) assert.ok(!body.includes(part));
    assertWellFormed(body);
  }
});

test('a WMTS describes where its tiles are, and serves them by REST and by KVP', async () => {
  const id = await register('tms', 'images.pmtiles');
  const { body, headers } = await ask(`/data/${id}/WMTSCapabilities.xml`);
  assert.equal(headers['content-type'], 'application/xml');
  assertWellFormed(body);
  assert.match(body, /<Capabilities [^>]*version="1.0.0">/);
  assert.ok(body.includes(`template="${origin}/data/${id}/xyz/{TileMatrix}/{TileCol}/{TileRow}.png"`));
  assert.match(body, /<ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</);
  // The scale denominator of zoom 1 is half of 559082264.0287178.
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
  // This is the path of a TMS, whose own rows are counted from the south.
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

test('a TMS says which zooms it has, in metres of web mercator', async () => {
  const id = await register('tms', 'images.pmtiles');
  const { body } = await ask(`/data/${id}/tilemapresource.xml`);
  assertWellFormed(body);
  assert.match(body, /<TileSets profile="global-mercator">/);
  assert.match(body, /<TileFormat width="256" height="256" mime-type="image\/png" extension="png"\/>/);
  const sets = [...body.matchAll(/<TileSet href="(\d+)" units-per-pixel="([\d.]+)" order="(\d+)"\/>/g)];
  assert.deepEqual(
    sets.map(([, href, units, order]) => [href, Math.round(Number(units)), order]),
    [['1', 78_272, '1']],
  );
  const box = /<BoundingBox minx="([^"]+)" miny="([^"]+)" maxx="([^"]+)" maxy="([^"]+)"/.exec(body)!;
  const [end, atLatitude85] = [20_037_508, 19_971_869];
  assert.deepEqual(
    box.slice(1).map((metres) => Math.round(Number(metres))),
    [-end, -atLatitude85, end, atLatitude85],
  );
});

test('images are found by the URL template of their datasource, and images in degrees have no WMTS', async () => {
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
  for (const name of [
    'WMTSCapabilities.xml',
    'tilemapresource.xml',
    'wmts',
    'qgis.qlr',
    'qgis-wmts.qlr',
    'xyz/0/0/0.png',
  ])
    assert.equal((await ask(`/data/${geo._id}/${name}`)).statusCode, 404, name);
  assert.deepEqual(
    (await linksOf(geo._id)).items.map(({ kind }) => kind),
    ['page', 'file'],
  );
});

test('the TileJSON of a TMS names tiles whose rows are counted from the north, as its scheme says', async () => {
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

test('a layer definition contains what QGIS reads: the tree, the layer, its provider and its source', async () => {
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

test('paths that give one user access to data have no documents to save', async () => {
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
