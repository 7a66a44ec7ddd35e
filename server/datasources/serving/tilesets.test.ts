import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { NewDatasource } from '@platen/contract/datasources';
import { startService } from '../../testing.ts';
import { archiveOf, askFor, type DataQuery } from './testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };

const tile = gzipSync('a tile of vectors');
const thumbnail = Buffer.from('\x89PNG a picture', 'latin1');
const metadata = {
  name: 'Town',
  attribution: '© somebody',
  format: 'pbf',
  minzoom: '2',
  maxzoom: '7',
  bounds: '9,47,10.5,48',
  center: '9.5,47.5,2',
  json: JSON.stringify({ vector_layers: [{ id: 'roads', fields: {} }] }),
};
const style = {
  version: 8,
  sources: { data: { type: 'vector', url: 'tiles.json' }, other: { type: 'vector', url: '/other.json' } },
  layers: [{ id: 'roads', type: 'line', source: 'data', 'source-layer': 'roads' }],
};
const vcMapStyle = { type: 'VectorStyleItem', fill: { color: 'rgba(1,2,3,0.5)' } };

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const archive = archiveOf([[0, 0, 0, Buffer.from('the world')]]);
  const form = new FormData();
  const files = {
    'town.pmtiles': archive,
    'town.pmtiles.thumbnail.png': thumbnail,
    'bare.pmtiles': archive,
    'thumbnail.png': Buffer.from('of nobody'),
    'town/2/1/1.pbf': tile,
    'town/metadata.json': Buffer.from(JSON.stringify(metadata)),
    'town/thumbnail.png': thumbnail,
    'odd/2/1/1.pbf': tile,
    'odd/metadata.json': Buffer.from('{"bounds":"1,2,x,4","minzoom":{},"json":"[]","name":7}'),
    'broken/2/1/1.pbf': tile,
    'broken/metadata.json': Buffer.from('{'),
  };
  for (const [key, content] of Object.entries(files))
    form.append(key, new Blob([new Uint8Array(content)]), 'file');
  await admin.postProjectDataBucketUpload({ params, query: {}, body: form });
});

async function register(dataBucketKey: string, more: Partial<NewDatasource> = {}): Promise<string> {
  const { admin } = await service;
  const sourceProperties = { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey };
  const body = { name: dataBucketKey, type: 'vectortiles' as const, sourceProperties, ...more };
  return (await admin.postProjectDatasource({ params, body }))._id;
}

const ask = async (path: string, options: DataQuery = {}) => askFor(await service, path, options);

test('a folder of gzipped tiles is served as tiles, packed or unpacked as the client wants', async () => {
  const id = await register('town');
  const packed = await ask(`/data/${id}/2/1/1.pbf`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(packed.headers['content-type'], 'application/vnd.mapbox-vector-tile');
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(packed.rawPayload).toString(), 'a tile of vectors');
  const unpacked = await ask(`/data/${id}/2/1/1.pbf`);
  assert.equal(unpacked.headers['content-encoding'], undefined);
  assert.equal(unpacked.body, 'a tile of vectors');
  assert.equal((await ask(`/data/${id}/2/1/2.pbf`)).statusCode, 204);
});

test('a folder of tiles has a TileJSON, made of its metadata', async () => {
  const id = await register('town');
  const { headers, statusCode, ...reply } = await ask(`/data/${id}/tiles.json`);
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'application/json');
  const { tiles, ...rest } = reply.json<{ tiles: string[] }>();
  assert.match(tiles[0]!, new RegExp(`^http.*/data/${id}/\\{z\\}/\\{x\\}/\\{y\\}\\.pbf$`));
  assert.deepEqual(rest, {
    tilejson: '3.0.0',
    name: 'Town',
    attribution: '© somebody',
    vector_layers: [{ id: 'roads', fields: {} }],
    scheme: 'xyz',
    minzoom: 2,
    maxzoom: 7,
    bounds: [9, 47, 10.5, 48],
    center: [9.5, 47.5, 2],
  });
});

test('odd metadata of a folder is ignored, and invalid JSON is reported', async () => {
  const odd = await ask(`/data/${await register('odd')}/tiles.json`);
  assert.deepEqual(Object.keys(odd.json<object>()), ['tilejson', 'vector_layers', 'tiles', 'scheme']);
  const broken = await ask(`/data/${await register('broken')}/tiles.json`);
  assert.equal(broken.statusCode, 422);
  assert.match(broken.body, /metadata\.json/);
});

test('the thumbnail of a file is next to it under its name, that of a folder is in it', async () => {
  for (const key of ['town', 'town.pmtiles']) {
    const { statusCode, rawPayload, headers } = await ask(`/data/${await register(key)}/thumbnail.png`);
    assert.equal(statusCode, 200);
    assert.deepEqual(rawPayload, thumbnail);
    assert.equal(headers['content-type'], 'image/png');
  }
  const bare = await ask(`/data/${await register('bare.pmtiles')}/thumbnail.png`);
  assert.equal(bare.statusCode, 404, 'a picture that merely lies in the same folder is not shown');
});

test('a thumbnail and a style are for those alone who may read the data', async () => {
  const id = await register('town.pmtiles', { properties: { style } });
  const { user } = await service;
  const { token: stranger } = await user('tileset-stranger');
  for (const file of ['thumbnail.png', 'style.json', 'tiles.json', '0/0/0.pbf']) {
    assert.equal((await ask(`/data/${id}/${file}`)).statusCode, 200);
    for (const token of [undefined, stranger])
      assert.equal((await ask(`/data/${id}/${file}`, { token })).statusCode, 404);
  }
});

test('the style among the properties is served with the address of the tiles', async () => {
  for (const key of ['town', 'town.pmtiles']) {
    const id = await register(key, { properties: { style } });
    const served = (await ask(`/data/${id}/style.json`)).json<typeof style>();
    assert.match(served.sources.data.url, new RegExp(`^http.*/data/${id}/tiles\\.json$`));
    assert.equal(served.sources.other.url, '/other.json');
    assert.deepEqual(served.layers, style.layers);
  }
  for (const properties of [{}, { style: 'plain' }, { style: { sources: [] } }, { style: null }]) {
    const id = await register('town', { properties });
    assert.equal((await ask(`/data/${id}/style.json`)).statusCode, 404);
  }
});

test('the layer for the map viewer has the style of the job, until another is set', async () => {
  const { admin } = await service;
  const datasourceId = await register('town', { properties: { vcMapStyle } });
  const path = { params: { ...params, datasourceId } };
  assert.deepEqual((await admin.getProjectDatasourceConfig(path))['style'], vcMapStyle);
  await admin.putProjectDatasource({ ...path, body: { typeProperties: { style: { type: 'mine' } } } });
  assert.deepEqual((await admin.getProjectDatasourceConfig(path))['style'], { type: 'mine' });
});
