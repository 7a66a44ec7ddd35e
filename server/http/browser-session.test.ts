import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startService } from '../testing.ts';

// Uses the session cookie as a browser does, over a network.

const { admin, adminToken, app } = await startService();
await app.listen({ host: '127.0.0.1', port: 0 });
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const { _id: projectId, defaultDataBucketId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const bucket = `${origin}/api/v1/project/${projectId}/data-bucket/${defaultDataBucketId}`;

interface Request extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

const browse = (address: string, { headers, ...init }: Request = {}) =>
  fetch(address, {
    ...init,
    headers: { cookie: `platen-session=${adminToken}`, 'sec-fetch-site': 'same-origin', ...headers },
  });

test('a file is uploaded by tus in two chunks, downloaded by ranges, and described', async () => {
  const tus = { 'tus-resumable': '1.0.0', origin };
  const metadata = `filename ${Buffer.from('folder/hello.txt').toString('base64')}`;
  const start = (headers: Record<string, string>) =>
    browse(`${bucket}/tus`, {
      method: 'POST',
      headers: { ...tus, 'upload-length': '11', 'upload-metadata': metadata, ...headers },
    });
  assert.equal((await start({ origin: 'https://elsewhere.example.org' })).status, 403);
  const created = await start({});
  assert.equal(created.status, 201);
  const upload = new URL(created.headers.get('location')!, origin).href;
  for (const [offset, body] of [
    [0, 'hello '],
    [6, 'world'],
  ] as const) {
    const type = 'application/offset+octet-stream';
    const patched = await browse(upload, {
      method: 'PATCH',
      headers: { ...tus, 'content-type': type, 'upload-offset': String(offset) },
      body,
    });
    assert.equal(patched.status, 204);
    const head = await browse(upload, { method: 'HEAD', headers: tus });
    if (offset === 0) assert.equal(head.headers.get('upload-offset'), '6');
  }
  const key = 'key=folder/hello.txt';
  const piece = await browse(`${bucket}/download-file?${key}`, { headers: { range: 'bytes=6-10' } });
  assert.deepEqual(
    [piece.status, piece.headers.get('content-range'), await piece.text()],
    [206, 'bytes 6-10/11', 'world'],
  );
  const info = (await (await browse(`${bucket}/object?${key}`)).json()) as { size: number; type: string };
  assert.deepEqual([info.size, info.type], [11, 'file']);
  const stranger = await fetch(`${bucket}/download-file?${key}`);
  assert.equal(stranger.status, 401);
});

test('changes of a project are followed', { timeout: 30_000 }, async () => {
  const stop = new AbortController();
  const stream = await browse(`${origin}/api/v1/project/${projectId}/events`, {
    headers: { accept: 'text/event-stream' },
    signal: stop.signal,
  });
  assert.equal(stream.status, 200);
  assert.match(stream.headers.get('content-type')!, /^text\/event-stream/);
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const hear = async (text: string) => {
    while (!heard.includes(text))
      heard += (await reader.read()).value ?? assert.fail(`the stream ended after ${heard}`);
  };
  await hear('event: ready'); // earlier changes are not sent
  const made = await browse(`${origin}/api/v1/project/${projectId}/module`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'New' }),
  });
  assert.equal(made.status, 201);
  await hear('"module"');
  stop.abort();
});
