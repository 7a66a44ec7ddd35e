import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestFailed } from '@platen/client/client';
import type { Job } from '@platen/contract/jobs';
import { startRunner } from '../testing-runner.ts';
import { cities } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { afterFile } from '../../../checks/clean-up.ts';

const service = await startService();
const { admin, app } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const world = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body: world });
const params = { projectId, dataBucketId };

const bytes = randomBytes(200_000);
let sent = 0;
function endless(): Readable {
  return Readable.from(
    (function* () {
      for (; sent < 1_000_000_000; sent += bytes.length) yield bytes;
    })(),
  );
}
const web = createServer(({ url = '' }, response) => {
  if (url === '/inside') response.writeHead(302, { location: `${address}/readyz` }).end();
  else if (url === '/cities.geojson') response.end(cities);
  else if (url === '/file.bin') response.end(bytes);
  else if (url === '/endless') endless().pipe(response);
  else response.writeHead(404).end();
}).listen(0, '127.0.0.2');
afterFile(() => web.close());
await new Promise((resolve) => web.once('listening', resolve));
const from = `http://127.0.0.2:${(web.address() as AddressInfo).port}`;
const runners = await startRunner(service, { fetchAllow: 'http 127.0.0.2/32' });
afterFile(() => runners.stop());

async function ended({ _id: jobId }: Job): Promise<Job> {
  for (;;) {
    const job = await admin.getProjectJob({ params: { projectId, jobId } });
    if (job.endTime !== undefined) return job;
    await sleep(50);
  }
}

const fetchFile = async (body: { url: string; key?: string; overwrite?: boolean }) =>
  ended(await admin.postProjectDataBucketUploadFromUrl({ params, body }));
const keys = async () => {
  const { items } = await admin.getProjectDataBucketObjects({ params });
  return items.map(({ key }) => key);
};
const failsWith = (status: number) => (error: RequestFailed) => error.status === status;

test('a file is fetched from the web into the bucket, whole and under its name there', async () => {
  const job = await fetchFile({ url: `${from}/file.bin` });
  assert.equal(job.state, 'succeeded', String(job.errorMessage));
  const file = await admin.getProjectDataBucketObject({ params, query: { key: 'file.bin' } });
  assert.equal(file.size, bytes.length);
  const download = await admin.getProjectDataBucketDownloadFile({ params, query: { key: 'file.bin' } });
  assert.ok(Buffer.from(await download.arrayBuffer()).equals(bytes));
});

test('a key sets another name, or the folder', async () => {
  await fetchFile({ url: `${from}/file.bin`, key: 'a/b/other.bin' });
  await fetchFile({ url: `${from}/file.bin`, key: '/folder/' });
  assert.ok((await keys()).includes('a/b/other.bin'));
  assert.ok((await keys()).includes('folder/file.bin'));
});

test('the task does not reveal secrets of an address in its name', async () => {
  await fetchFile({ url: `${from}/absent?signature=secret#part` });
  const { items } = await admin.getProjectTasks({ params, query: { limit: 1 } });
  assert.equal(items[0]!.name, `Fetch ${from}/absent`);
});

test('an existing file is replaced only on request', async () => {
  const body = { url: `${from}/cities.geojson`, key: 'kept.bin' };
  assert.equal((await fetchFile(body)).state, 'succeeded');
  await assert.rejects(admin.postProjectDataBucketUploadFromUrl({ params, body }), failsWith(409));
  // the name is known only when the file has come
  assert.equal((await fetchFile({ url: `${from}/file.bin`, key: 'once/' })).state, 'succeeded');
  const again = await fetchFile({ url: `${from}/file.bin`, key: 'once/' });
  assert.equal(again.state, 'failed');
  assert.match(again.errorMessage!, /The file “once\/file.bin” already exists/);
  assert.equal((await fetchFile({ ...body, overwrite: true })).state, 'succeeded');
});

test('no address leads to this service or its network, and what fails leaves nothing', async () => {
  const before = await keys();
  const failed = async (url: string) => {
    const { state, errorMessage } = await fetchFile({ url });
    assert.equal(state, 'failed', url);
    return errorMessage!;
  };
  assert.match(await failed(`${from}/inside`), /no public address/);
  assert.match(await failed(`${address}/readyz`), /no public address/);
  assert.match(await failed('http://[::1]:5432/'), /no public address/);
  assert.match(await failed(`${from}/absent`), /status 404/);
  assert.deepEqual(await keys(), before);
  for (const url of [
    'file:///etc/passwd',
    'ftp://example.org/a',
    'no address',
    'https://me:secret@example.org/',
  ])
    await assert.rejects(fetchFile({ url }), failsWith(422), url);
});

test('a job reads its input from the web like any other', async () => {
  const task = await admin.postProjectTask({
    params: { projectId },
    body: {
      name: 'Tiles of the web',
      jobType: 'platenTilesVector',
      parameters: {
        datasource: { command: 'create', name: 'Cities' },
        options: { input: { type: 'external', url: `${from}/cities.geojson` }, tiling: { maxZoom: 4 } },
      },
    },
  });
  const { state, errorMessage } = await ended({ _id: task.lastJobId } as Job);
  assert.equal(state, 'succeeded', String(errorMessage));
});

test('a file beyond the quota is not fetched to its end', async () => {
  const { current, revisions, trash } = await admin.getProjectUsage({ params });
  const used = current.bytes + revisions.bytes + trash.bytes;
  await admin.putProject({ params, body: { quota: { bytes: used + 300_000 } } });
  const job = await fetchFile({ url: `${from}/endless`, key: 'endless.bin' });
  assert.deepEqual([job.state, job.errorCode], ['failed', 'cannotTransfer']);
  assert.match(job.errorMessage!, /300.0 kB are left, but this needs at least 300.0 kB/);
  assert.ok(sent < 50_000_000, `${sent} bytes were sent`);
  const fits = await fetchFile({ url: `${from}/file.bin`, key: 'fits.bin' });
  assert.equal(fits.state, 'succeeded', String(fits.errorMessage));
  const known = await fetchFile({ url: `${from}/file.bin`, key: 'more.bin' });
  assert.match(known.errorMessage!, /100.0 kB are left/);
  await admin.putProject({ params, body: { quota: {} } });
});
