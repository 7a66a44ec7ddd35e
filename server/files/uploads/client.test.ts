import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Upload, type UploadOptions } from 'tus-js-client';
import { startService } from '../../testing.ts';
import { newBucket, tusPath, type BucketParams } from './testing.ts';

const service = await startService();
const { admin, app, adminToken } = service;
await app.listen({ port: 0, host: '127.0.0.1' });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

type Options = Partial<UploadOptions>;

function upload(params: BucketParams, bytes: Buffer, options: Options): Promise<void> {
  return new Promise((resolve, reject) => {
    new Upload(bytes, {
      endpoint: url + tusPath(params),
      headers: { authorization: `Bearer ${adminToken}` },
      retryDelays: null,
      ...options,
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
}

test('tus-js-client uploads a folder, all files simultaneously, with their relative paths', async () => {
  const params = await newBucket(service);
  const files = Array.from({ length: 30 }, (_, i) => ({
    relativePath: `city/${i % 3}/${i % 5}/tile ${i}.bin`,
    bytes: randomBytes(i * 30_011),
  }));
  const ways: Options[] = [{}, { chunkSize: 100_000 }, { uploadDataDuringCreation: true }];
  await Promise.all(
    files.map(({ relativePath, bytes }, i) =>
      upload(params, bytes, {
        ...ways[i % 3],
        metadata: { filename: relativePath.split('/').at(-1)!, relativePath },
      }),
    ),
  );
  const { items } = await admin.getProjectDataBucketObjects({ params, query: { limit: 1000 } });
  const expected = files.map(({ relativePath, bytes }) => [
    relativePath,
    createHash('sha256').update(bytes).digest('hex'),
  ]);
  assert.deepEqual(
    items.map(({ key, sha256 }) => [key, sha256]),
    expected.toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
  );
});

test('tus-js-client can send the length at the end', async () => {
  const params = await newBucket(service);
  const bytes = randomBytes(1_000_003);
  const options = { uploadLengthDeferred: true, chunkSize: 300_000, metadata: { key: 'stream.bin' } };
  await upload(params, bytes, options);
  const object = await admin.getProjectDataBucketObject({ params, query: { key: 'stream.bin' } });
  assert.equal(object.sha256, createHash('sha256').update(bytes).digest('hex'));
});

test('tus-js-client receives the reason why a file is refused', async () => {
  const params = await newBucket(service, { bytes: 10 });
  const refused = upload(params, randomBytes(11), { metadata: { key: 'a.bin' } });
  await assert.rejects(refused, /response code: 507.*10 bytes are left/);
});
