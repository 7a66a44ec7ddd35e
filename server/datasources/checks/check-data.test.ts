import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { DatasourceType } from '@platen/contract/datasource-types';
import type { NewDatasource } from '@platen/contract/datasources';
import { indexedZipOf, zipOf, type TestMember } from '@platen/formats/zip/testing';
import { archiveOf } from '../serving/testing.ts';
import { startService } from '../../testing.ts';
import { tileset, world } from '../testing.ts';

const service = startService();
let params: { projectId: string; dataBucketId: string };

const zip = (files: Record<string, string | Buffer>) =>
  zipOf(Object.entries(files).map(([name, content]): TestMember => ({ name, content, method: 8 }))).bytes;
const sceneLayer = (more: object) =>
  indexedZipOf(
    [{ name: '3dSceneLayer.json.gz', content: gzipSync(JSON.stringify({ layerType: '3DObject', ...more })) }],
    {
      kind: 'slpk',
    },
  );
/** A vector tile of one layer: a version, and an extent unless it is the usual one. */
const vectorTile = (extent?: number) => {
  const field = extent === undefined ? [] : [0x28, (extent & 0x7f) | 0x80, extent >> 7];
  const layer = [0x78, 2, 0x0a, 1, 0x61, ...field];
  return Buffer.from([0x1a, layer.length, ...layer]);
};

function mbtiles(format: string, { tile = vectorTile(), isIndexed = true, zooms = '0,3' } = {}): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'platen-mbtiles-'));
  const path = join(folder, 'a.mbtiles');
  const [from, to] = zooms.split(',');
  const database = new DatabaseSync(path);
  database.exec(`create table metadata (name text, value text);
    insert into metadata values ('format', '${format}'), ('minzoom', '${from}'), ('maxzoom', '${to}'), ('bounds', '-1,-2,3,4');
    create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    ${isIndexed ? 'create unique index i on tiles (zoom_level, tile_column, tile_row);' : ''}`);
  database.prepare('insert into tiles values (0, 0, 0, ?)').run(gzipSync(tile));
  database.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

const projected = (name: string) =>
  `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"${name}"}},"features":[]}`;
const far =
  '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[392000.5,5820000]]]}}]}';
const link = { name: 'link', content: 'x', says: { attributes: (0o120777 << 16) >>> 0 } };

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const form = new FormData();
  const files: Record<string, string | Buffer> = {
    'mesh.3tz': indexedZipOf([{ name: 'tileset.json', content: tileset }]),
    'mesh.zip': zip({ 'mesh/tileset.json': tileset }),
    'deep.zip': zip({ 'a/x.txt': '', 'b/tileset.json': tileset }),
    'old.zip': zip({ 'tileset.json': '{"asset":{"version":"0.9"},"root":{}}' }),
    'new/tileset.json': '{"asset":{"version":"2.0"},"root":{}}',
    'evil.zip': zip({ '../tileset.json': tileset }),
    'link.zip': zipOf([{ name: 'tileset.json', content: tileset }, link]).bytes,
    'text.zip': 'no zip file',
    'scene.slpk': sceneLayer({ spatialReference: { wkid: 4326 }, store: { version: '1.8' } }),
    'utm.slpk': sceneLayer({ spatialReference: { wkid: 25833 } }),
    'points.slpk': sceneLayer({ layerType: 'PointCloud' }),
    'two.slpk': sceneLayer({ store: { version: '2.0' } }),
    'empty.slpk': indexedZipOf([{ name: 'other', content: '' }], { kind: 'slpk' }),
    'terrain.zip': zip({ 'layer.json': '{}', '0/0/0.terrain': 'x', '0/1/0.terrain': 'x' }),
    'half.zip': zip({ 'layer.json': '{}', '0/0/0.terrain': 'x' }),
    'oblique.zip': zip({ 'image.json': '{"version":"3.5"}' }),
    'oblique-old.zip': zip({ 'image.json': '{"version":"v2.9-1-a"}' }),
    'tiles.zip': zip({ '0/0/0.pbf': gzipSync(vectorTile(4096)) }),
    'coarse.zip': zip({ '0/0/0.pbf': vectorTile(512) }),
    'coarse/0/0/0.pbf': vectorTile(8192),
    'coarse.pmtiles': archiveOf([[0, 0, 0, vectorTile(8192)]]),
    'coarse.mbtiles': mbtiles('pbf', { tile: vectorTile(8192) }),
    'vectors.mbtiles': mbtiles('pbf'),
    'images.mbtiles': mbtiles('png'),
    'slow.mbtiles': mbtiles('pbf', { isIndexed: false }),
    'text.mbtiles': 'no database',
    'jpeg/0/0/0.jpg': 'x',
    'places.zip': zip({ 'places.geojson': '{}' }),
    'utm.geojson': projected('urn:ogc:def:crs:EPSG::25833'),
    'named.geojson': projected('urn:ogc:def:crs:OGC:1.3:CRS84'),
    'far.geojson': far,
  };
  for (const [key, content] of Object.entries(files))
    form.append(key, new Blob([new Uint8Array(Buffer.from(content))]), 'file');
  await admin.postProjectDataBucketUpload({ params, query: {}, body: form });
});

async function create(
  type: DatasourceType,
  dataBucketKey: string,
  more: Partial<NewDatasource> = {},
  urlSuffix?: string,
) {
  const { admin } = await service;
  const source = { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey };
  const sourceProperties = urlSuffix === undefined ? source : { ...source, urlSuffix };
  return admin.postProjectDatasource({ params, body: { name: type, type, sourceProperties, ...more } });
}

test('archives that hold what their type says are accepted, and addressed by what clients start with', async () => {
  const bbox = [-10, -10, 10, 10];
  const rows: [DatasourceType, key: string, rest: string][] = [
    ['tileset', 'mesh.3tz', '/tileset.json'],
    ['tileset', 'mesh.zip', '/tileset.json'],
    ['i3s', 'scene.slpk', '/SceneServer/layers/0'],
    ['qmesh', 'terrain.zip', ''],
    ['oblique', 'oblique.zip', '/image.json'],
    ['vectortiles', 'tiles.zip', '/{z}/{x}/{y}.pbf'],
    ['vectortiles', 'vectors.mbtiles', '/{z}/{x}/{y}.pbf'],
    ['tms', 'images.mbtiles', '/'],
    ['wmts', 'images.mbtiles', '/{TileMatrix}/{TileCol}/{TileRow}.png'],
    ['generic', 'mesh.zip', '/mesh.zip'],
    ['generic', 'vectors.mbtiles', '/vectors.mbtiles'],
    ['generic', 'evil.zip', '/evil.zip'],
    ['geojson', 'named.geojson', '/named.geojson'],
  ];
  for (const [type, key, rest] of rows) {
    const { _id, uri } = await create(type, key, { bbox });
    assert.equal(uri, `/data/${_id}${rest}`, `${type} ${key}`);
  }
  const { _id, uri } = await create('tileset', 'deep.zip', {}, 'b/tileset.json');
  assert.equal(uri, `/data/${_id}/b/tileset.json`);
});

test('the layer of tiles in one file asks for the zooms and the extent that it has', async () => {
  const { admin } = await service;
  const layerOf = async (type: DatasourceType, key: string, more: Partial<NewDatasource> = {}) => {
    const { _id: datasourceId } = await create(type, key, more);
    return admin.getProjectDatasourceConfig({ params: { ...params, datasourceId } });
  };
  const extent = {
    type: 'Extent',
    coordinates: [-1, -2, 3, 4],
    projection: { type: 'Projection', epsg: 4326 },
  };
  const vectors = await layerOf('vectortiles', 'vectors.mbtiles');
  assert.deepEqual((vectors['tileProvider'] as { baseLevels: number[] }).baseLevels, [0, 1, 2, 3]);
  assert.deepEqual(vectors['extent'], extent);
  const images = await layerOf('tms', 'images.mbtiles', { typeProperties: { maxLevel: 2 } });
  assert.deepEqual([images['minLevel'], images['maxLevel'], images['extent']], [0, 2, extent]);
  const chosen = await layerOf('vectortiles', 'vectors.mbtiles', { typeProperties: { baseLevels: [3] } });
  assert.deepEqual((chosen['tileProvider'] as { baseLevels: number[] }).baseLevels, [3]);
});

test('data that the viewer cannot show is refused with advice, also inside archives', async () => {
  const rows: [DatasourceType, key: string, why: RegExp][] = [
    ['tileset', 'deep.zip', /no tileset\.json in the archive/],
    ['tileset', 'old.zip', /version 0\.9.*1\.0 and 1\.1/],
    ['tileset', 'new', /version 2\.0/],
    ['tileset', 'evil.zip', /leads out of its folder/],
    ['tileset', 'link.zip', /"link" is a link/],
    ['tileset', 'text.zip', /not a zip file/],
    ['tileset', 'vectors.mbtiles', /no tileset\.json/],
    ['i3s', 'utm.slpk', /25833.*WGS84/],
    ['i3s', 'points.slpk', /type PointCloud/],
    ['i3s', 'two.slpk', /I3S 2\.0.*1\.6 to 1\.8/],
    ['i3s', 'empty.slpk', /no 3dSceneLayer\.json/],
    ['i3s', 'vectors.mbtiles', /Name an SLPK/],
    ['qmesh', 'half.zip', /0\/1\/0/],
    ['qmesh', 'mesh.zip', /layer\.json/],
    ['oblique', 'oblique-old.zip', /3\.1 and later/],
    ['vectortiles', 'coarse.zip', /extent of 512.*platenTilesVector/],
    ['vectortiles', 'coarse', /extent of 8192/],
    ['vectortiles', 'coarse.pmtiles', /extent of 8192/],
    ['vectortiles', 'coarse.mbtiles', /extent of 8192/],
    ['vectortiles', 'images.mbtiles', /images/],
    ['vectortiles', 'slow.mbtiles', /create unique index/],
    ['vectortiles', 'text.mbtiles', /not an SQLite database/],
    ['vectortiles', 'mesh.zip', /no vector tiles/],
    ['tms', 'vectors.mbtiles', /no raster tiles/],
    ['tms', 'jpeg', /typeProperties\.format to “jpg”/],
    ['geojson', 'places.zip', /unpacked.*platenConvertVector/],
    ['geojson', 'utm.geojson', /EPSG::25833.*platenConvertVector/],
    ['geojson', 'far.geojson', /not degrees.*platenConvertVector/],
    ['flatgeobuf', 'places.zip', /unpacked/],
    ['cog', 'places.zip', /unpacked/],
  ];
  for (const [type, key, why] of rows) {
    await assert.rejects(create(type, key), (error: Error & { status?: number }) => {
      assert.equal(error.status, 422, `${type} ${key}: ${error.message}`);
      assert.match(error.message, why, `${type} ${key}`);
      return true;
    });
  }
});

test('the declarations of the user count', async () => {
  await create('geojson', 'far.geojson', { typeProperties: { projection: { epsg: 25833 } } });
  await create('tms', 'jpeg', { typeProperties: { format: 'jpg' } });
});
