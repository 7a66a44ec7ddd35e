import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { tileType } from '@platen/geo/pmtiles/header';
import { startService } from '../../testing.ts';
import { archiveOf, askFor, registerFile } from './testing.ts';

const service = startService();
let params: { projectId: string; dataBucketId: string };

const layer = {
  format: 'quantized-mesh-1.0',
  scheme: 'tms',
  projection: 'EPSG:4326',
  minzoom: 0,
  maxzoom: 1,
};
const roots: [number, number, number, Buffer][] = [
  [1, 0, 0, Buffer.from('west')],
  [1, 1, 0, Buffer.from('east')],
];
const north: [number, number, number, Buffer] = [2, 0, 0, Buffer.from('north-west')];

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({
    body: { name: 'Hills', description: 'All of them', bbox: [-180, -85, 180, 85] },
  });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const form = new FormData();
  const files = {
    'ground.pmtiles': archiveOf([...roots, north], tileType.unknown, { layer }),
    'half.pmtiles': archiveOf(roots.slice(0, 1), tileType.unknown, { layer }),
    'places.pmtiles': archiveOf(roots),
  };
  for (const [name, content] of Object.entries(files))
    form.append('file', new Blob([new Uint8Array(content)]), name);
  await admin.postProjectDataBucketUpload({ params, body: form });
});

test('terrain in an archive is served as layer.json and gzipped tiles, with rows from the south', async () => {
  const id = await registerFile(await service, params, 'qmesh', 'ground.pmtiles');
  const { admin } = await service;
  const datasource = await admin.getProjectDatasource({ params: { ...params, datasourceId: id } });
  assert.match(datasource.uri, new RegExp(`/data/${id}$`));
  const ask = async (path: string, headers = {}) => askFor(await service, `/data/${id}/${path}`, { headers });
  const description = await ask('layer.json');
  assert.equal(description.statusCode, 200);
  const { version, tiles, ...rest } = description.json<Record<string, unknown>>();
  assert.deepEqual(rest, layer);
  assert.deepEqual(tiles, ['{z}/{x}/{y}.terrain?v={version}']);
  assert.match(String(version), /^\w{8,}/);
  const tile = await ask(`1/0/1.terrain?v=${String(version)}`, { 'accept-encoding': 'gzip' });
  assert.equal(tile.headers['content-type'], 'application/vnd.quantized-mesh');
  assert.equal(tile.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(tile.rawPayload).toString(), 'north-west');
  assert.equal((await ask('0/1/0.terrain')).payload, 'east');
  for (const path of ['1/0/0.terrain', '0/0/1.terrain', '9/0/0.terrain', 'tiles.json'])
    assert.equal((await ask(path)).statusCode, 404, path);
});

test('an archive without both roots, or without terrain, is refused with what to do', async () => {
  const bodyOf = (dataBucketKey: string) => ({
    name: dataBucketKey,
    type: 'qmesh' as const,
    sourceProperties: { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey },
  });
  const { admin } = await service;
  await assert.rejects(
    admin.postProjectDatasource({ params, body: bodyOf('half.pmtiles') }),
    /root tile 0\/1\/0/,
  );
  await assert.rejects(
    admin.postProjectDatasource({ params, body: bodyOf('places.pmtiles') }),
    /platenTilesTerrain/,
  );
});
