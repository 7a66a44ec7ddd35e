import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { kept, metadata, newBucket, tusClient, tusPath } from './testing.ts';

const service = await startService({ settings: { maxFileBytes: 1_000_000 } });
const { admin } = service;
const tus = tusClient(service);
const params = await newBucket(service);

const create = (headers: Readonly<Record<string, string>>) => tus('POST', tusPath(params), { headers });
const encoded = metadata({ key: 'a.bin' });

async function untouched(work: () => Promise<void>): Promise<void> {
  const before = await kept(service);
  const { totalCount } = await admin.getProjectDataBucketUploads({ params });
  await work();
  assert.deepEqual(await kept(service), before);
  assert.equal((await admin.getProjectDataBucketUploads({ params })).totalCount, totalCount);
  assert.equal((await admin.getProjectDataBucketObjects({ params })).totalCount, 0);
}

test('keys that lead elsewhere, or are far too long, are refused before anything is kept', () =>
  untouched(async () => {
    const hostile = [
      '..',
      '../../etc/passwd',
      'a/../../b',
      './a',
      'a//b',
      'a\\b',
      'a\u0001b',
      'a\0b',
      '',
      '/',
      'x'.repeat(10_000),
      'a/'.repeat(600),
    ];
    for (const key of hostile) {
      for (const name of ['key', 'filename']) {
        const refused = await create({ 'upload-length': '3', 'upload-metadata': metadata({ [name]: key }) });
        assert.equal(refused.status, 400, JSON.stringify(key));
      }
    }
  }));

test('invalid metadata is refused with the wrong pair', () =>
  untouched(async () => {
    const wrong = [
      '',
      'key',
      'key !!!!',
      'key YQ==Y',
      'key YR==', // other bits than the text has
      'key YQ==,,',
      ',',
      'key  YQ== more',
      'kéy YQ==',
      'key /w==', // not UTF-8
      'filetype YQ==',
      `${encoded},overwrite ${Buffer.from('perhaps').toString('base64')}`,
    ];
    for (const header of wrong) {
      const refused = await create({ 'upload-length': '3', 'upload-metadata': header });
      assert.deepEqual([refused.status, refused.problem?.code], [400, 'invalid'], header);
    }
  }));

test('invalid lengths are refused, and those above the maximum file size with 413', () =>
  untouched(async () => {
    for (const length of [
      '-1',
      '1.5',
      '1e3',
      '0x10',
      '',
      ' ',
      '9007199254740992',
      '99999999999999999999',
      'NaN',
    ])
      assert.equal(
        (await create({ 'upload-length': length, 'upload-metadata': encoded })).status,
        400,
        length,
      );
    assert.equal((await create({ 'upload-metadata': encoded })).status, 400);
    const both = { 'upload-length': '3', 'upload-defer-length': '1', 'upload-metadata': encoded };
    assert.equal((await create(both)).status, 400);
    assert.equal((await create({ 'upload-defer-length': '2', 'upload-metadata': encoded })).status, 400);
    const tooLarge = await create({ 'upload-length': '1000001', 'upload-metadata': encoded });
    assert.deepEqual([tooLarge.status, tooLarge.problem?.code], [413, 'too_large']);
  }));

test('parts that were to be put together later do not become files', () =>
  untouched(async () => {
    const partial = { 'upload-length': '3', 'upload-metadata': encoded, 'upload-concat': 'partial' };
    assert.equal((await create(partial)).status, 400);
  }));

test('invalid ids of uploads are not found', async () => {
  for (const id of ['none', '..%2F..%2Fetc%2Fpasswd', 'x'.repeat(1000), '%00']) {
    const url = `${tusPath(params)}/${id}`;
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const) {
      const more = method === 'PATCH' ? { headers: { 'upload-offset': '0' }, body: Buffer.from('x') } : {};
      assert.ok([400, 404].includes((await tus(method, url, more)).status), `${method} ${id}`);
    }
  }
});

test('a chunk at another offset, beyond the length or of another type changes nothing', async () => {
  const { location } = await create({ 'upload-length': '5', 'upload-metadata': encoded });
  const send = (offset: string | undefined, text: string, headers = {}) =>
    tus('PATCH', location, {
      headers: { ...(offset !== undefined && { 'upload-offset': offset }), ...headers },
      body: Buffer.from(text),
    });
  assert.equal((await send('0', 'abc')).offset, 3);
  for (const offset of ['0', '2', '4', '5', '100'])
    assert.equal((await send(offset, 'x')).status, 409, offset);
  for (const offset of ['-3', '3.0', 'three', '', undefined])
    assert.equal((await send(offset, 'x')).status, 400);
  assert.equal((await send('3', 'def')).status, 413);
  for (const type of ['application/octet-stream', 'application/json', 'multipart/form-data; boundary=b', ''])
    assert.equal((await send('3', '{}', { 'content-type': type })).status, 415, type);
  assert.equal((await send('3', 'de', { 'upload-length': '6' })).status, 400);
  assert.equal((await tus('HEAD', location)).offset, 3);
  assert.equal((await send('3', 'de')).status, 204);
  assert.equal((await send('5', 'f')).status, 413);
  const reply = await admin.getProjectDataBucketDownloadFile({ params, query: { key: 'a.bin' } });
  assert.equal(await reply.text(), 'abcde');
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'a.bin' } });
});

test('a request that declares no size is ended at the length, and the upload can still be completed', async () => {
  const { location } = await create({ 'upload-length': '5', 'upload-metadata': encoded });
  const inChunks = async (offset: string, ...texts: string[]) =>
    service.app.inject({
      method: 'PATCH',
      url: location,
      headers: {
        authorization: `Bearer ${service.adminToken}`,
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': offset,
      },
      payload: Readable.from(texts.map((text) => Buffer.from(text))),
    });
  assert.equal((await inChunks('0', 'abc', 'def')).statusCode, 413);
  const { offset } = await tus('HEAD', location);
  assert.ok(offset <= 5);
  assert.equal((await inChunks(String(offset), 'abcde'.slice(offset))).statusCode, 204);
  const reply = await admin.getProjectDataBucketDownloadFile({ params, query: { key: 'a.bin' } });
  assert.equal(await reply.text(), 'abcde');
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'a.bin' } });
});

test('more bytes than the maximum file size are never stored, however they are sent', () =>
  untouched(async () => {
    const { location } = await create({ 'upload-defer-length': '1', 'upload-metadata': encoded });
    const headers = { 'upload-offset': '0' };
    const refused = await tus('PATCH', location, { headers, body: Buffer.alloc(1_000_001) });
    assert.equal(refused.status, 413);
    assert.equal((await tus('HEAD', location)).offset, 0);
    await tus('DELETE', location);
    const form = new FormData();
    form.append('file', new Blob([Buffer.alloc(1_000_001)]), 'large.bin');
    await assert.rejects(admin.postProjectDataBucketUpload({ params, body: form }), { status: 413 });
  }));
