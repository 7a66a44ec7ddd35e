import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { constants, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { DatasourceType } from '@platen/contract/datasource-types';
import { zipOf } from '@platen/formats/zip/testing';
import { startService } from '../../testing.ts';
import { archiveOf, askFor, registerFile, type DataQuery } from './testing.ts';

const service = await startService();
const { admin } = service;
const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId, dataBucketId };
const tileset = JSON.stringify({ asset: { version: '1.1' }, geometricError: 1, root: {} });

/** Uploads an archive; returns its datasource. */
async function register(key: string, bytes: Buffer, type: DatasourceType = 'tileset'): Promise<string> {
  const form = new FormData();
  form.append(key, new Blob([new Uint8Array(bytes)]), 'file');
  await admin.postProjectDataBucketUpload({ params, body: form });
  return registerFile(service, params, type, key);
}

const ask = (path: string, options: DataQuery = {}) => askFor(service, path, options);

test('a member that unpacks to far more than its length is refused, and sent packed', async () => {
  const zeros = Buffer.concat([randomBytes(60_000), Buffer.alloc(17 * 2 ** 20)]);
  const { bytes } = zipOf([
    { name: 'a/tileset.json', content: tileset },
    { name: 'a/deflate.bin', content: zeros, method: 8 },
    { name: 'a/zstd.bin', content: zeros, method: 93 },
    { name: 'a/twice.json', content: gzipSync(Buffer.alloc(17 * 2 ** 20)), method: 8 },
  ]);
  const id = await register('zeros.zip', bytes);
  for (const name of ['deflate.bin', 'zstd.bin']) {
    const path = `/data/${id}/${name}`;
    for (const method of ['GET', 'HEAD'] as const)
      assert.equal((await ask(path, { method })).statusCode, 422);
    assert.match((await ask(path)).body, /more than 100 times its size/);
    const packedBody = await ask(path, { headers: { 'accept-encoding': 'gzip, zstd' } });
    assert.deepEqual([packedBody.statusCode, packedBody.rawPayload.length < 100_000], [200, true]);
  }
  await assert.rejects(ask(`/data/${id}/twice.json`));
});

test('a member of zstd is unpacked only with the window that web clients have too', async () => {
  const content = Buffer.concat([randomBytes(60_000), Buffer.alloc(10 * 2 ** 20)]);
  const packed = zstdCompressSync(content, { params: { [constants.ZSTD_c_windowLog]: 27 } });
  const { bytes } = zipOf([
    { name: 'a/tileset.json', content: tileset },
    { name: 'a/wide.bin', content, packed, method: 93 },
  ]);
  const id = await register('wide.zip', bytes);
  await assert.rejects(ask(`/data/${id}/wide.bin`));
  const asStored = await ask(`/data/${id}/wide.bin`, { headers: { 'accept-encoding': 'zstd' } });
  assert.deepEqual(asStored.rawPayload, packed);
});

test('large tiles are sent piece by piece, packed or not, and one that unpacks to more than 16 MiB is cut off', async () => {
  const wide = Buffer.concat([randomBytes(300_000), Buffer.alloc(100_000)]);
  const deep = Buffer.alloc(5 * 2 ** 20, 'a tile ');
  const bomb = Buffer.alloc(17 * 2 ** 20);
  const archive = archiveOf([
    [0, 0, 0, wide],
    [1, 0, 0, deep],
    [1, 1, 0, bomb],
  ]);
  const id = await register('large.pmtiles', archive, 'vectortiles');
  const get = (tile: string, options: DataQuery = {}) => ask(`/data/${id}/${tile}.pbf`, options);
  const gzip = { headers: { 'accept-encoding': 'gzip' } };
  for (const [tile, content] of [
    ['0/0/0', wide],
    ['1/0/0', deep],
  ] as const) {
    const plain = await get(tile);
    assert.equal(plain.headers['content-length'], undefined, 'it is not unpacked before it is sent');
    assert.ok(plain.rawPayload.equals(content));
    const packed = await get(tile, gzip);
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.ok(gunzipSync(packed.rawPayload).equals(content));
    assert.notEqual(packed.headers['etag'], plain.headers['etag']);
    assert.equal(packed.headers['content-type'], 'application/vnd.mapbox-vector-tile');
    const head = await get(tile, { method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.body], [200, '']);
  }
  assert.equal((await get('1/1/0', gzip)).statusCode, 200);
  await assert.rejects(get('1/1/0'));
});
