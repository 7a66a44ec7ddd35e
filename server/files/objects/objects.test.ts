import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { startService } from '../../testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };

const deep = `${'long folder name '.repeat(8)}/Größe.txt`;
const contents: Record<string, string> = {
  'a.txt': '0123456789',
  'tiles/0/0/0.pbf': 'tile',
  'tiles/0/0/1.pbf': 'other',
  'tiles/layer.json': '{}',
  'tiles%/x_y.json': '{}',
  'z.JSON': '[]',
  [deep]: 'deep',
};

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const form = new FormData();
  for (const [key, content] of Object.entries(contents)) form.append(key, new Blob([content]), 'file');
  await admin.postProjectDataBucketUpload({ params, body: form });
});

async function list(query: object): Promise<[key: string, type: string, size: number][]> {
  const { admin } = await service;
  const { items } = await admin.getProjectDataBucketObjects({ params, query });
  return items.map(({ key, type, size }) => [key, type, size]);
}

test('all files are listed by their keys, or those with a prefix or an ending', async () => {
  const { admin } = await service;
  const keys = (await list({})).map(([key]) => key);
  const inByteOrder = Object.keys(contents).toSorted((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  assert.deepEqual(keys, inByteOrder);
  assert.deepEqual(await list({ prefix: '/tiles/0' }), [
    ['tiles/0/0/0.pbf', 'file', 4],
    ['tiles/0/0/1.pbf', 'file', 5],
  ]);
  assert.deepEqual(
    (await list({ ending: '.json' })).map(([key]) => key),
    ['tiles%/x_y.json', 'tiles/layer.json', 'z.JSON'],
  );
  assert.deepEqual(await list({ prefix: 'tiles%' }), [['tiles%/x_y.json', 'file', 2]]);
  const page = await admin.getProjectDataBucketObjects({ params, query: { limit: 2, page: 1 } });
  assert.deepEqual([page.items.length, page.totalCount, page.totalPages], [2, 7, 4]);
});

test('with a delimiter one level is listed, folders with the size of all that is in them', async () => {
  assert.deepEqual(await list({ delimiter: '/', prefix: 'tiles/' }), [
    ['tiles/0/', 'directory', 9],
    ['tiles/layer.json', 'file', 2],
  ]);
  const byType = await list({ delimiter: '/', orderBy: ['type', 'alpha'] });
  assert.deepEqual(
    byType.map(([key, type]) => [key.slice(0, 6), type]),
    [
      ['long f', 'directory'],
      ['tiles%', 'directory'],
      ['tiles/', 'directory'],
      ['a.txt', 'file'],
      ['z.JSON', 'file'],
    ],
  );
  const sizes = await list({ orderBy: ['size'], sort: 'desc', limit: 1 });
  assert.deepEqual(sizes, [['a.txt', 'file', 10]]);
});

test('a folder is known by the keys in it', async () => {
  const { admin } = await service;
  const folder = await admin.getProjectDataBucketObject({ params, query: { key: 'tiles' } });
  assert.deepEqual([folder.key, folder.type, folder.size], ['tiles/', 'directory', 11]);
  const missing = admin.getProjectDataBucketObject({ params, query: { key: 'tile' } });
  await assert.rejects(missing, { status: 404 });
});

test('the details of a file say who wrote it, how often, and what uses it', async () => {
  const { admin, adminId } = await service;
  const query = { key: 'told/places.geojson' };
  for (const content of [
    '{"type":"FeatureCollection","features":[]}',
    '{"type": "FeatureCollection", "features": []}',
  ]) {
    const form = new FormData();
    form.append(query.key, new Blob([content]), 'file');
    await admin.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
  }
  const sourceProperties = { type: 'internal', ...params, dataBucketKey: query.key } as const;
  const { projectId: _, ...source } = sourceProperties;
  const datasource = await admin.postProjectDatasource({
    params,
    body: { name: 'Places', type: 'geojson', sourceProperties: source },
  });
  for (const key of [query.key, 'told/']) {
    const info = await admin.getProjectDataBucketObject({ params, query: { key } });
    assert.deepEqual(
      [info.numberOfUses, info.usedBy[0]?._id, info.usedBy[0]?.name],
      [1, datasource._id, 'Places'],
    );
  }
  const file = await admin.getProjectDataBucketObject({ params, query });
  assert.deepEqual([file.numberOfRevisions, file.createdBy, file.updatedBy], [2, adminId, adminId]);
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'told/', force: true } });
});

test('an empty file can be created once and deleted, and no client sees where the bytes are', async () => {
  const { admin } = await service;
  const query = { key: 'empty.txt' };
  const made = await admin.postProjectDataBucketObject({ params, query });
  assert.deepEqual([made.key, made.size, made.contentType], ['empty.txt', 0, 'text/plain; charset=utf-8']);
  assert.ok(!('blobId' in made));
  await assert.rejects(admin.postProjectDataBucketObject({ params, query }), { status: 409 });
  const download = await admin.getProjectDataBucketDownloadFile({ params, query });
  assert.equal(await download.text(), '');
  await admin.deleteProjectDataBucketObject({ params, query });
  await assert.rejects(admin.deleteProjectDataBucketObject({ params, query }), { status: 404 });
});

test('a file is created by a body, too, replaced on request, and a directory is there before its first file', async () => {
  const { admin } = await service;
  const create = (body: object, query: object = {}) =>
    admin.postProjectDataBucketObject({ params, query, body } as never);
  const made = await create({ key: 'body.txt', type: 'file' });
  assert.deepEqual([made.key, made.type], ['body.txt', 'file']);
  await assert.rejects(create({ key: 'body.txt', type: 'file' }), { status: 409 });
  const replaced = await create({ key: 'body.txt' }, { overwrite: true });
  assert.equal(replaced._id, made._id);
  const folder = await create({ key: '/new', type: 'directory' });
  assert.deepEqual([folder.key, folder.type, folder.numberOfFiles], ['new/', 'directory', 0]);
  await create({ key: 'new/a.txt' });
  await assert.rejects(create({ key: 'new/', type: 'directory' }), { status: 409 });
  assert.equal((await create({ key: 'new/', type: 'directory' }, { overwrite: true })).numberOfFiles, 1);
  await assert.rejects(create({ key: 'body.txt', type: 'directory' }), { status: 409, message: /is a file/ });
  await assert.rejects(create({}), { status: 400, message: '/key: This field is required.' });
  await assert.rejects(create({ key: 'a' }, { key: 'b' }), { status: 400, message: /differ/ });
  await assert.rejects(create({ key: '../a', type: 'directory' }), { status: 400 });
  for (const key of ['body.txt', 'new/'])
    await admin.deleteProjectDataBucketObject({ params, query: { key } });
});

test('a folder is deleted only by its name with a trailing slash', async () => {
  const { admin } = await service;
  for (const key of ['old/a', 'old/b/c', 'older'])
    await admin.postProjectDataBucketObject({ params, query: { key } });
  const remove = (key: string) => admin.deleteProjectDataBucketObject({ params, query: { key } });
  await assert.rejects(remove('old'), { status: 404 });
  await remove('old/');
  assert.deepEqual(await list({ prefix: 'old' }), [['older', 'file', 0]]);
  await remove('older');
});

async function download(key: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const { app, adminToken } = await service;
  const path = `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/download-file`;
  return app.inject({
    method,
    url: `${path}?key=${encodeURIComponent(key)}`,
    headers: { authorization: `Bearer ${adminToken}`, ...headers },
  });
}

test('a download has a strong ETag and answers to ranges, If-Range, If-None-Match and HEAD', async () => {
  const whole = await download('a.txt');
  assert.equal(whole.body, '0123456789');
  assert.equal(whole.headers['accept-ranges'], 'bytes');
  assert.match(String(whole.headers['content-disposition']), /^attachment; filename="a\.txt"/);
  const etag = String(whole.headers['etag']);
  assert.match(etag, /^"[0-9a-f]{64}"$/);
  const middle = await download('a.txt', { range: 'bytes=2-4', 'if-range': etag });
  assert.deepEqual(
    [middle.statusCode, middle.body, middle.headers['content-range'], middle.headers['content-length']],
    [206, '234', 'bytes 2-4/10', '3'],
  );
  const cases: [range: string, status: number, body: string][] = [
    ['bytes=-3', 206, '789'],
    ['bytes=8-', 206, '89'],
    ['bytes=8-99', 206, '89'],
    ['bytes=0-2,2-3', 206, '0123'],
    ['lines=1-2', 200, '0123456789'],
    ['bytes=5-2', 200, '0123456789'],
  ];
  for (const [range, status, body] of cases) {
    const reply = await download('a.txt', { range });
    assert.deepEqual([reply.statusCode, reply.body], [status, body], range);
  }
  const several = await download('a.txt', { range: 'bytes=8-8, -1,0-1' });
  const boundary = /^multipart\/byteranges; boundary=(.+)$/.exec(
    String(several.headers['content-type']),
  )?.[1];
  const part = (range: string, body: string) =>
    `\r\n--${boundary}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-range: bytes ${range}/10\r\n\r\n${body}`;
  assert.deepEqual(
    [several.statusCode, several.body],
    [206, `${part('0-1', '01')}${part('8-9', '89')}\r\n--${boundary}--\r\n`],
  );
  assert.equal(several.headers['content-length'], String(several.body.length));
  const beyond = await download('a.txt', { range: 'bytes=10-' });
  assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, 'bytes */10']);
  const changed = await download('a.txt', { range: 'bytes=2-4', 'if-range': '"other"' });
  assert.equal(changed.statusCode, 200);
  assert.equal((await download('a.txt', { 'if-none-match': `"x", W/${etag}` })).statusCode, 304);
  const head = await download('a.txt', {}, 'HEAD');
  assert.deepEqual([head.statusCode, head.body, head.headers['content-length']], [200, '', '10']);
  assert.equal((await download('b.txt')).statusCode, 404);
  assert.equal((await download('../a.txt')).statusCode, 400);
});

test('a folder is downloaded as a tar.gz that tar unpacks, long and foreign names included', async () => {
  const { admin } = await service;
  const packed = await admin.getProjectDataBucketDownload({ params });
  const folder = await mkdtemp(join(tmpdir(), 'platen-tar-'));
  try {
    await writeFile(join(folder, 'all.tar.gz'), new Uint8Array(await packed.arrayBuffer()));
    execFileSync('tar', ['xzf', 'all.tar.gz'], { cwd: folder });
    for (const [key, content] of Object.entries(contents)) {
      assert.equal(await readFile(join(folder, key), 'utf8'), content);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const missing = admin.getProjectDataBucketDownload({ params, query: { key: 'nothing/' } });
  await assert.rejects(missing, { status: 404 });
});
