import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Failure } from '../../base/failure.ts';
import { startService } from '../../testing.ts';
import { finishUpload } from './finish.ts';
import type { BucketUploadRow } from './store.ts';
import { sweepUploads } from './sweep.ts';
import { kept, metadata, newBucket, tusClient, tusPath } from './testing.ts';
import { takeTurn } from './turn.ts';

let hours = 0;
const service = await startService({
  settings: { tokenLifetimeMs: 1000 * 3_600_000 },
  now: () => new Date(Date.now() + hours * 3_600_000),
});
const { admin, app, adminToken, context } = service;
await app.listen({ port: 0, host: '127.0.0.1' });
const tus = tusClient(service);
const params = await newBucket(service);

async function begin(key: string, length: number) {
  const headers = { 'upload-length': String(length), 'upload-metadata': metadata({ key }) };
  return (await tus('POST', tusPath(params), { headers })).location;
}

/** A connection that sends a part of what it announces, and then hangs. */
async function hang(location: string, offset: number, { announced = 1000, text = 'abc' } = {}) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `PATCH ${location} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminToken}\r\ntus-resumable: 1.0.0\r\n` +
      `content-type: application/offset+octet-stream\r\nupload-offset: ${offset}\r\ncontent-length: ${announced}\r\n\r\n${text}`,
  );
  const id = location.split('/').at(-1)!;
  for (;;) {
    const row = await context.db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst();
    if (row?.writing) return socket;
  }
}

test('a client that returns while its dead connection hangs resumes, and the old connection is ended', async () => {
  const location = await begin('a.bin', 1000);
  const socket = await hang(location, 0);
  const answer = once(socket, 'data');
  const head = await tus('HEAD', location);
  assert.equal(head.status, 200);
  assert.match(String((await answer)[0]), /^HTTP\/1.1 409 /);
  const rest = Buffer.alloc(1000 - head.offset, 1);
  const headers = { 'upload-offset': String(head.offset) };
  assert.equal((await tus('PATCH', location, { headers, body: rest })).status, 204);
  const { size } = await admin.getProjectDataBucketObject({ params, query: { key: 'a.bin' } });
  assert.equal(size, 1000);
  socket.destroy();
});

test('each byte of many simultaneous requests to one upload is stored once', async () => {
  const location = await begin('b.bin', 100);
  const headers = { 'upload-offset': '0' };
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, i) => tus('PATCH', location, { headers, body: Buffer.alloc(100, i) })),
  );
  const stored = replies.filter(({ status }) => status === 204);
  assert.equal(stored.length, 1);
  for (const { status } of replies) assert.ok([204, 404, 409, 413].includes(status), String(status));
  const reply = await admin.getProjectDataBucketDownloadFile({ params, query: { key: 'b.bin' } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  assert.ok(
    bytes.every((byte) => byte === bytes[0]),
    'one writer, no mixture',
  );
});

test('the turn of a process that died is over when its lease is', async () => {
  const location = await begin('c.bin', 3);
  const id = location.split('/').at(-1)!;
  await sql`update upload set turn = 1, writing = 1, writing_until = now() + interval '1 second' where id = ${id}`.execute(
    context.db,
  );
  const body = Buffer.from('abc');
  assert.equal((await tus('PATCH', location, { headers: { 'upload-offset': '0' }, body })).status, 204);
});

/** The turn of a process that stalls: its lease is over, and it knows nothing of it. */
async function stalled(location: string) {
  const id = location.split('/').at(-1)!;
  const { rows } = await sql<BucketUploadRow>`
    update upload set turn = turn + 1, writing = turn + 1, writing_until = now() where id = ${id} returning *`.execute(
    context.db,
  );
  return rows[0]!;
}

test('a process that stalls before the last step neither makes the file again nor takes its bytes away', async () => {
  for (const overwrite of ['false', 'true']) {
    const key = `stalled-${overwrite}.bin`;
    const headers = { 'upload-length': '5', 'upload-metadata': metadata({ key, overwrite }) };
    const { location } = await tus('POST', tusPath(params), { headers });
    const upload = await stalled(location);
    const bytes = overwrite.slice(0, 4).padEnd(5);
    await context.store.drafts.append(upload.draft_id, 0, Readable.from([Buffer.from(bytes)]));
    await context.store.drafts.finish(upload.draft_id);
    assert.equal((await tus('HEAD', location)).offset, 5);
    await assert.rejects(finishUpload(context, upload), { code: 'conflict' });
    const reply = await admin.getProjectDataBucketDownloadFile({ params, query: { key } });
    assert.equal(await reply.text(), bytes);
    assert.equal((await tus('HEAD', location)).status, 200);
    const { totalCount } = await admin.getProjectDataBucketObjectRevisions({ params, query: { key } });
    assert.equal(totalCount, 1);
  }
});

test('a writer is ended before its lease is, also while the database does not respond', async () => {
  const location = await begin('silent.bin', 3);
  const id = location.split('/').at(-1)!;
  const turn = await takeTurn(context, sql`id = ${id}`, new AbortController().signal);
  await context.db.transaction().execute(async (tx) => {
    await sql`select from upload where id = ${id} for update`.execute(tx);
    await once(turn.signal, 'abort', { signal: AbortSignal.timeout(30_000) });
  });
  assert.equal((turn.signal.reason as Failure).code, 'unavailable');
  await turn.end();
  assert.equal((await tus('DELETE', location)).status, 204);
});

test('an abandoned upload expires, and is removed with its bytes', async () => {
  const before = await kept(service);
  const location = await begin('late.bin', 10);
  await tus('PATCH', location, { headers: { 'upload-offset': '0' }, body: Buffer.from('abc') });
  hours = 71;
  assert.equal((await sweepUploads(context)).expired, 0);
  assert.equal((await tus('HEAD', location)).status, 200); // and is good for another 72 hours
  hours += 71;
  assert.equal((await tus('HEAD', location)).status, 200);
  hours += 73;
  assert.equal((await tus('HEAD', location)).status, 404);
  assert.equal((await admin.getProjectDataBucketUploads({ params })).totalCount, 0);
  await sweepUploads(context);
  assert.deepEqual(await kept(service), before);
});

test('a draft without an upload is swept after an hour, one of an upload is not', async () => {
  hours = 0;
  const location = await begin('kept.bin', 10);
  const before = await kept(service);
  await context.store.drafts.begin('orphaneddraft01');
  assert.equal((await sweepUploads(context)).drafts, 0);
  hours += 2;
  assert.equal((await sweepUploads(context)).drafts, 1);
  assert.deepEqual(await kept(service), before);
  assert.equal((await tus('HEAD', location)).offset, 0);
});
