import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../../testing.ts';
import { encodeTarHeader } from '@platen/formats/tar/write-tar';
import { packFiles } from './pack-files.ts';

const run = promisify(execFile);
const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };
let origin: string;

const long = `${'folder with a long name '.repeat(5)}/${'Straße '.repeat(20)}.txt`;
const large = randomBytes(3 * 2 ** 20);

before(async () => {
  const { admin, app } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  await upload({ 'a/b/set/x': '1', [`a/b/set/${long}`]: '2', 'a/b/set/deep/er/y': '', 'a/b/setting': '3' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});

async function upload(files: Readonly<Record<string, string | Buffer>>) {
  const { admin } = await service;
  const form = new FormData();
  for (const [key, content] of Object.entries(files))
    form.append(key, new Blob([new Uint8Array(Buffer.from(content))]), 'file');
  await admin.postProjectDataBucketUpload({ params, body: form });
}

async function urlOf(key: string) {
  const { adminToken } = await service;
  const path = `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/download`;
  const headers = { authorization: `Bearer ${adminToken}` };
  return { url: `${origin}${path}?key=${encodeURIComponent(key)}`, headers };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-tar-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a folder is packed under its own name, wherever it is, and tar unpacks it', async () => {
  const { url, headers } = await urlOf('a/b/set/');
  const reply = await fetch(url, { headers });
  assert.match(reply.headers.get('content-disposition') ?? '', /filename="set\.tar\.gz"/);
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'set.tar.gz'), new Uint8Array(await reply.arrayBuffer()));
    await run('tar', ['xzf', 'set.tar.gz'], { cwd: folder });
    assert.deepEqual((await readdir(folder)).toSorted(), ['set', 'set.tar.gz']);
    for (const [path, content] of [
      ['x', '1'],
      [long, '2'],
      ['deep/er/y', ''],
    ] as const)
      assert.equal(await readFile(join(folder, 'set', path), 'utf8'), content);
  });
});

test('an archive breaks off where the bytes of a file are gone, and does not end as if it were whole', async () => {
  const { context } = await service;
  for (const [folder, lost] of Object.entries({ small: Buffer.from('lost'), large })) {
    const others = Array.from({ length: 40 }, (_, index) => [`${folder}/${index}`, `${index}`]);
    await upload({ ...Object.fromEntries(others), [`${folder}/lost`]: lost });
    const { blob_id: blobId } = await context.db
      .selectFrom('object')
      .select('blob_id')
      .where('bucket_id', '=', params.dataBucketId)
      .where('key', '=', `${folder}/lost`)
      .executeTakeFirstOrThrow();
    await context.store.remove(blobId);
    const { url, headers } = await urlOf(`${folder}/`);
    const answer = fetch(url, { headers }).then((reply) => reply.arrayBuffer());
    await assert.rejects(answer, folder);
  }
});

test('when the client disconnects, reading stops and the service continues', async () => {
  const { context } = await service;
  await upload(
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`left/${index}`, large.subarray(index)])),
  );
  const { url, headers } = await urlOf('left/');
  const opened = new Set<string>();
  const { stream } = context.store;
  context.store.stream = async (id, range) => {
    opened.add(id);
    return stream.call(context.store, id, range);
  };
  try {
    const request = get(url, { headers });
    const [reply] = await once(request, 'response');
    await once(reply, 'data');
    reply.destroy();
    for (let last = -1; last !== opened.size; await sleep(300)) last = opened.size;
    assert.ok(opened.size < 20, `${opened.size} files were opened`);
  } finally {
    context.store.stream = stream;
  }
});

test('files opened for an archive are closed if the client disconnects before the first byte', async () => {
  const { store } = (await service).context;
  const blobId = 'openedforatar01';
  await store.put(blobId, Readable.from([large]));
  const body = (await store.stream(blobId))!;
  const file = { path: 'large', blobId, size: large.length, updatedAt: new Date().toISOString() };
  const tar = packFiles({ ...store, stream: async () => body }, Readable.from([file]));
  await tar.next();
  await tar.return(undefined);
  assert.equal(body.destroyed, true);
});

test('files opened for ranges are closed if the client has disconnected', { timeout: 30_000 }, async () => {
  const { app, adminToken, context } = await service;
  await upload({ 'ranges.bin': randomBytes(100) });
  const { open, stream } = context.store;
  const path = `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/download-file`;
  try {
    for (const range of ['bytes=0-9', 'bytes=0-9,20-29']) {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      const connection = once(app.server, 'connection') as Promise<[Socket]>;
      const leave = async () => {
        request.destroy();
        const [socket] = await connection;
        if (!socket.closed) await once(socket, 'close');
      };
      context.store.stream = async (id, wanted) => {
        const body = (await stream.call(context.store, id, wanted))!;
        body.once('close', resolve);
        await leave();
        return body;
      };
      context.store.open = async (id) => {
        const object = (await open.call(context.store, id))!;
        const close = object.close.bind(object);
        object.close = () => close().then(resolve);
        await leave();
        return object;
      };
      const headers = { authorization: `Bearer ${adminToken}`, range };
      const request = get(`${origin}${path}?key=ranges.bin`, { headers, agent: false });
      request.on('error', () => {});
      await closed;
    }
  } finally {
    Object.assign(context.store, { open, stream });
  }
});

test('tar reads files above 8 GiB and names of any length', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'large.tar');
    const size = 9 * 2 ** 30 + 1;
    const updatedAt = '2026-11-20T08:00:00.000Z';
    const key = `${'n'.repeat(255)}/${'ü'.repeat(100)}`;
    const file = await open(path, 'w');
    const head = encodeTarHeader({ path: key, size, updatedAt });
    await file.write(head);
    const next = head.length + Math.ceil(size / 512) * 512;
    const last = encodeTarHeader({ path: 'last', size: 0, updatedAt });
    await file.write(last, 0, last.length, next);
    await file.truncate(next + last.length + 1024);
    await file.close();
    const { stdout } = await run('tar', ['tvf', path, '--quoting-style=literal']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/));
    assert.deepEqual(
      lines.map((words) => [Number(words[2]), words.at(-1)]),
      [
        [size, key],
        [0, 'last'],
      ],
    );
  });
});
