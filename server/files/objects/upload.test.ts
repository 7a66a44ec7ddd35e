import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import type { UploadReport } from '@platen/contract/objects';
import { startService, type TestService } from '../../testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService({ settings: { uploadIdleMs: 400 } });

async function newBucket(): Promise<{ projectId: string; dataBucketId: string }> {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  return { projectId: _id, dataBucketId: defaultDataBucketId };
}

function formOf(...files: [field: string, content: string, fileName?: string][]): FormData {
  const form = new FormData();
  for (const [field, content, fileName] of files) form.append(field, new Blob([content]), fileName);
  return form;
}

async function keysOf(params: { projectId: string; dataBucketId: string }): Promise<string[]> {
  const { admin } = await service;
  const { items } = await admin.getProjectDataBucketObjects({ params, query: { limit: 1000 } });
  return items.map(({ key }) => key);
}

/** The files of the store that hold `size` bytes. */
async function blobs({ context }: TestService): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { id } of context.store.list()) ids.add(id);
  return ids;
}

test('a file is stored byte for byte under its name, with its SHA-256, size and media type', async () => {
  const { admin } = await service;
  const params = await newBucket();
  const content = `{"type":"FeatureCollection","features":[]}${' '.repeat(300_000)}`;
  const reply = await admin.postProjectDataBucketUpload({
    params,
    body: formOf(['file', content, 'places.geojson']),
  });
  assert.equal(reply, undefined);
  const object = await admin.getProjectDataBucketObject({ params, query: { key: '/places.geojson' } });
  assert.equal(object.size, content.length);
  assert.equal(object.sha256, createHash('sha256').update(content).digest('hex'));
  assert.equal(object.contentType, 'application/geo+json');
  const download = await admin.getProjectDataBucketDownloadFile({ params, query: { key: 'places.geojson' } });
  assert.equal(await download.text(), content);
});

test('a part named file is named by its file with folders, any other by its field', async () => {
  const { admin } = await service;
  const params = await newBucket();
  const body = formOf(
    ['file', 'a', 'tiles/0/0/0.pbf'],
    ['/tiles/tileset.json', '{}', 'blob'],
    ['file', 'c', 'Straße 100%25.txt'],
  );
  await admin.postProjectDataBucketUpload({ params, body });
  assert.deepEqual(await keysOf(params), ['Straße 100%25.txt', 'tiles/0/0/0.pbf', 'tiles/tileset.json']);
});

test('an existing file is replaced only with overwrite', async () => {
  const { admin } = await service;
  const params = await newBucket();
  const read = async () =>
    (await admin.getProjectDataBucketDownloadFile({ params, query: { key: 'a.txt' } })).text();
  await admin.postProjectDataBucketUpload({ params, body: formOf(['file', 'one', 'a.txt']) });
  const again = { params, body: formOf(['file', 'two', 'a.txt']) };
  await assert.rejects(admin.postProjectDataBucketUpload(again), { status: 409, code: 'conflict' });
  assert.equal(await read(), 'one');
  await admin.postProjectDataBucketUpload({ ...again, query: { overwrite: true } });
  assert.equal(await read(), 'two');
});

test('if some of several files fail, the response is 207 and lists each in the order of the request', async () => {
  const { app, adminToken } = await service;
  const params = await newBucket();
  const form = formOf(
    ['file', 'a', 'a.txt'],
    ['file', 'b'.repeat(3_000_000), '../b.txt'],
    ['file', 'again', 'a.txt'],
    ['file', 'c', 'c.txt'],
  );
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const { statusCode, payload } = await app.inject({
    method: 'POST',
    url: `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/upload`,
    headers: {
      authorization: `Bearer ${adminToken}`,
      'content-type': request.headers.get('content-type')!,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  assert.equal(statusCode, 207);
  const { files } = JSON.parse(payload) as UploadReport;
  assert.deepEqual(
    files.map((file) => [file.name, file.status, file.dataBucketKey, file.problem?.code]),
    [
      ['a.txt', 204, 'a.txt', undefined],
      ['../b.txt', 400, undefined, 'invalid'],
      ['a.txt', 409, undefined, 'conflict'],
      ['c.txt', 204, 'c.txt', undefined],
    ],
  );
  assert.deepEqual(await keysOf(params), ['a.txt', 'c.txt']);
});

test('hostile keys are refused one by one and leave nothing behind', async () => {
  const it = await service;
  const params = await newBucket();
  const before = await blobs(it);
  const hostile = [
    '..',
    'a/../b',
    './a',
    'a//b',
    'a/',
    '//a',
    'a\\b',
    'a\u0001b',
    'a\u0085b',
    '\u007f',
    'é'.repeat(128),
    `${'a/'.repeat(600)}a`,
  ];
  for (const key of hostile) {
    const call = it.admin.postProjectDataBucketUpload({ params, body: formOf([key, 'x', 'blob']) });
    await assert.rejects(call, { status: 400 }, JSON.stringify(key));
  }
  assert.deepEqual(await keysOf(params), []);
  assert.deepEqual(await blobs(it), before);
});

test('keys are stored in NFC, so both spellings are one file', async () => {
  const { admin } = await service;
  const params = await newBucket();
  await admin.postProjectDataBucketUpload({ params, body: formOf(['file', 'x', 'Cafe\u0301.txt']) });
  assert.deepEqual(await keysOf(params), ['Caf\u00e9.txt']);
  const other = admin.postProjectDataBucketUpload({ params, body: formOf(['file', 'x', 'Caf\u00e9.txt']) });
  await assert.rejects(other, { status: 409 });
});

test('of two simultaneous uploads of one key exactly one succeeds and the other gets a conflict', async () => {
  const it = await service;
  const params = await newBucket();
  const before = await blobs(it);
  const content = 'x'.repeat(200_000);
  const uploads = Array.from({ length: 6 }, () =>
    it.admin.postProjectDataBucketUpload({ params, body: formOf(['file', content, 'a.txt']) }),
  );
  const results = await Promise.allSettled(uploads);
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 5);
  for (const { reason } of refused) assert.equal((reason as RequestFailed).status, 409);
  assert.equal((await blobs(it)).size, before.size + 1);
});

test('form data without a file, of another type or broken is refused', async () => {
  const { admin, app, adminToken } = await service;
  const params = await newBucket();
  const form = new FormData();
  form.append('note', 'no file at all');
  await assert.rejects(admin.postProjectDataBucketUpload({ params, body: form }), { status: 400 });
  const send = (type: string, payload: string) =>
    app.inject({
      method: 'POST',
      url: `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/upload`,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': type },
      payload,
    });
  const statusOf = async (type: string, payload: string) => (await send(type, payload)).statusCode;
  assert.equal(await statusOf('application/json', '{}'), 415);
  assert.equal(await statusOf('multipart/form-data', 'x'), 400);
  assert.equal(await statusOf('multipart/form-data; boundary=b', ''), 400);
  assert.equal(await statusOf('multipart/form-data; boundary=b', 'nonsense'), 400);
  const open = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf of i';
  assert.equal(await statusOf('multipart/form-data; boundary=b', open), 400);
  assert.deepEqual(await keysOf(params), []);
});

test('fields beside the files are ignored, up to a limit', async () => {
  const { admin } = await service;
  const params = await newBucket();
  const formWith = (fields: number) => {
    const form = new FormData();
    for (let i = 0; i < fields; i++) form.append(`field${i}`, 'x');
    form.append('file', new Blob(['a']), `${fields}.txt`);
    return form;
  };
  await admin.postProjectDataBucketUpload({ params, body: formWith(10) });
  const tooMany = admin.postProjectDataBucketUpload({ params, body: formWith(1000) });
  const report = (await tooMany) as unknown as UploadReport;
  assert.deepEqual(
    report.files.map(({ name, status }) => [name, status]),
    [
      ['1000.txt', 204],
      ['', 400],
    ],
  );
});

test('other endpoints do not take form data', async () => {
  const { app, adminToken } = await service;
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/api/v1/project',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'multipart/form-data; boundary=b' },
    payload: '--b--',
  });
  assert.equal(statusCode, 415);
});

/** A socket on which an upload has begun and never goes on by itself. */
async function beginUpload(params: { projectId: string; dataBucketId: string }) {
  const { app, adminToken } = await service;
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const path = `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/upload`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminToken}\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 50000000\r\n\r\n' +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="half.bin"\r\n\r\n',
  );
  socket.write(Buffer.alloc(5_000_000, 1));
  return socket;
}

async function drafts({ dataFolder }: TestService): Promise<string[]> {
  return readdir(join(dataFolder, 'objects', 'tmp'));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('a client that disconnects during an upload leaves nothing: no row, no blob, no draft', async () => {
  const it = await service;
  const params = await newBucket();
  const before = await blobs(it);
  const socket = await beginUpload(params);
  await until(async () => (await drafts(it)).length > 0);
  socket.destroy();
  await until(async () => (await drafts(it)).length === 0);
  assert.deepEqual(await keysOf(params), []);
  assert.deepEqual(await blobs(it), before);
});

test('a client that falls silent in mid-upload is cut off, and nothing of it stays', async () => {
  const it = await service;
  const params = await newBucket();
  const socket = await beginUpload(params);
  socket.resume();
  await once(socket, 'close');
  await until(async () => (await drafts(it)).length === 0);
  assert.deepEqual(await keysOf(params), []);
});
