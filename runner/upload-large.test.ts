import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { once } from 'node:events';
import { openS3Store } from '@platen/storage/s3';
import { startS3Server, s3SkipReason } from '@platen/storage/testing-s3-server';
import { newBucket, useKeysOf } from '@platen/storage/testing-s3-store';
import { afterFile } from '../checks/clean-up.ts';
import { enrolledRunner, holdNext, tilesResult } from '../server/jobs/queue/testing.ts';
import { projectWithCities, tilingTask } from '../server/jobs/tasks/testing.ts';
import { startService, type TestService } from '../server/testing.ts';
import { clientFor } from './job-client.ts';
import { upload } from './upload.ts';

const MIB = 2 ** 20;
const key = 'a.pmtiles';
const skip = s3SkipReason();

/** Passes connections on, and cuts them each time that this many bytes have been sent, at most `cuts` times. */
async function startCuttingProxy(
  t: TestContext,
  target: string,
  { everyBytes, cuts, onCut }: { everyBytes: number; cuts: number; onCut?: () => void },
) {
  const seen = { bytes: 0, cuts: 0 };
  let left = everyBytes;
  const open = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [from, to]) {
      open.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          from.destroy();
          to.destroy();
        });
    }
    to.pipe(from);
    from.on('data', (chunk: Buffer) => {
      seen.bytes += chunk.length;
      left -= chunk.length;
      if (left <= 0 && seen.cuts < cuts) {
        seen.cuts++;
        left = everyBytes;
        onCut?.();
        from.destroy();
      } else if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const folder = await mkdtemp(join(tmpdir(), 'platen-large-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

async function openPlace(service: TestService) {
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { projectId, bucketId } = await projectWithCities(service);
  const runner = await enrolledRunner(service, 'runner');
  return {
    url,
    async hold() {
      await service.admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId) });
      return (await holdNext(service, runner))!;
    },
    async read(jobId: string) {
      const { outputItems } = await service.admin.getProjectJob({ params: { projectId, jobId } });
      const reply = await service.admin.getProjectDataBucketDownloadFile({
        params: { projectId, dataBucketId: bucketId },
        query: { key: outputItems[0]!.dataBucketKey! },
      });
      return Buffer.from(await reply.arrayBuffer());
    },
    async leftovers() {
      const { db, store } = service.context;
      return {
        uploads: (await db.selectFrom('upload').select('id').execute()).length,
        drafts: (await Array.fromAsync(store.drafts.list())).length,
      };
    },
  };
}

const disk = await openPlace(await startService());
const { signal } = new AbortController();

async function cutThrice(t: TestContext, { url, hold, read, leftovers }: typeof disk): Promise<void> {
  const job = await hold();
  const bytes = randomBytes(40 * MIB);
  await writeFile(join(folder, key), bytes);
  const proxy = await startCuttingProxy(t, url, { everyBytes: 11 * MIB, cuts: 3 });
  const reported: number[] = [];
  const progress = (done: number) => void reported.push(done);
  await upload(clientFor(proxy.url, job.token), { jobId: job.jobId, folder, signal, progress });
  assert.equal(proxy.seen.cuts, 3);
  assert.ok(proxy.seen.bytes < 50 * MIB, `${proxy.seen.bytes} bytes were sent`);
  assert.equal(reported.at(-1), bytes.length);
  await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult });
  assert.ok(bytes.equals(await read(job.jobId)));
  assert.deepEqual(await leftovers(), { uploads: 0, drafts: 0 });
}

test('a large output continues where its connection was cut', (t) => cutThrice(t, disk));

test('s3: a large output continues where its connection was cut', { skip }, async (t) => {
  const server = await startS3Server();
  t.after(() => server.stop());
  useKeysOf(server);
  const setting = await newBucket(server);
  const service = await startService({ openStore: () => openS3Store(setting) });
  await cutThrice(t, await openPlace(service));
});

test('a file that changed while its connection was cut is sent again', async (t) => {
  const job = await disk.hold();
  const [old, bytes] = [randomBytes(20 * MIB), randomBytes(20 * MIB)];
  await writeFile(join(folder, key), old);
  const rewritten = Promise.withResolvers<void>();
  const onCut = () => rewritten.resolve(writeFile(join(folder, key), bytes));
  const proxy = await startCuttingProxy(t, disk.url, { everyBytes: 10 * MIB, cuts: 1, onCut });
  await upload(clientFor(proxy.url, job.token), { jobId: job.jobId, folder, signal, progress: () => {} });
  await rewritten.promise;
  await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult });
  assert.ok(bytes.equals(await disk.read(job.jobId)));
});
