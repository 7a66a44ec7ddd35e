// A test of faults.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Upload, type DetailedError } from 'tus-js-client';
import { end, runService, type RunningService } from './processes.ts';
import { afterFile } from '../checks/clean-up.ts';

const bytes = randomBytes(96 * 2 ** 20);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const key = 'city/north/points.bin';

interface Attempt {
  readonly service: RunningService;
  readonly params: { projectId: string; dataBucketId: string };
  /** Path of an earlier attempt, at this service or its predecessor. */
  readonly path?: string;
  readonly chunkSize?: number;
  /** Stops in the middle, when this much was sent. */
  readonly until?: { readonly sent: number; stop(upload: Upload): void };
}

/** Runs the real client once, without memory of earlier runs; returns the path of the upload and the outcome. */
function attempt({ service, params, path, chunkSize, until }: Attempt) {
  const { projectId, dataBucketId } = params;
  return new Promise<{ path: string; begunAt: number; error?: Error | DetailedError }>((resolve) => {
    let begunAt: number | undefined;
    const done = (error?: Error) =>
      resolve({ path: new URL(upload.url!).pathname, begunAt: begunAt ?? 0, ...(error && { error }) });
    const upload = new Upload(bytes, {
      endpoint: `${service.url}/api/v1/project/${projectId}/data-bucket/${dataBucketId}/tus`,
      ...(path !== undefined && { uploadUrl: service.url + path }),
      ...(chunkSize !== undefined && { chunkSize }),
      headers: { authorization: `Bearer ${service.token}` },
      metadata: { filename: 'points.bin', relativePath: key },
      retryDelays: null,
      onBeforeRequest: (request) => {
        if (request.getMethod() === 'PATCH') begunAt ??= Number(request.getHeader('Upload-Offset'));
      },
      onProgress: (sent) => {
        if (until && sent >= until.sent) until.stop(upload);
      },
      onSuccess: () => done(),
      onError: done,
    });
    upload.start();
  });
}

async function makeBucket({ client }: RunningService) {
  const project = await client.postProject({ body: { name: 'R', description: '', bbox: [0, 0, 1, 1] } });
  return { projectId: project._id, dataBucketId: project.defaultDataBucketId };
}

async function assertWhole({ client }: RunningService, params: Attempt['params']): Promise<void> {
  const object = await client.getProjectDataBucketObject({ params, query: { key } });
  assert.deepEqual([object.size, object.sha256], [bytes.length, sha256]);
  const reply = await client.getProjectDataBucketDownloadFile({ params, query: { key } });
  const hash = createHash('sha256').update(Buffer.from(await reply.arrayBuffer()));
  assert.equal(hash.digest('hex'), sha256);
  assert.equal((await client.getProjectDataBucketUploads({ params })).totalCount, 0);
}

test('an upload resumes after two kill -9 of the service, with other chunks and the same bytes', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'platen-resume-'));
  afterFile(() => rm(dataFolder, { recursive: true, force: true }));
  const start = () => runService({ dataFolder, env: { PLATEN_RUNNERS: '0' } });
  const killed = (service: RunningService, sent: number) => ({
    sent,
    stop: () => void end(service.child, 'SIGKILL'),
  });
  let service = await start();
  afterFile(() => service.stop());
  const params = await makeBucket(service);
  const first = await attempt({ service, params, until: killed(service, 16 * 2 ** 20) });
  assert.ok(first.error, 'the service died in the middle');
  service = await start();
  const [listed] = (await service.client.getProjectDataBucketUploads({ params })).items;
  assert.deepEqual([listed?.key, listed?.length], [key, bytes.length]);
  const chunkSize = 3_000_001;
  const again = { service, params, path: first.path, chunkSize };
  const second = await attempt({ ...again, until: killed(service, 32 * 2 ** 20) });
  assert.ok(second.error);
  assert.ok(second.begunAt > 0, 'the upload resumed instead of starting over');
  service = await start();
  const third = await attempt({ service, params, path: first.path });
  assert.equal(third.error, undefined);
  assert.ok(third.begunAt >= second.begunAt, 'nothing that was kept is lost');
  await assertWhole(service, params);
});

test('an upload whose client dies is resumed by another process', async (t) => {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  t.after(() => service.stop());
  const params = await makeBucket(service);
  const { promise: path, resolve } = Promise.withResolvers<string>();
  const stop = (upload: Upload) => {
    resolve(new URL(upload.url!).pathname);
    void upload.abort();
  };
  // sent bytes may still be buffered in the client: the previous chunks have been acknowledged
  void attempt({ service, params, chunkSize: 5 * 2 ** 20, until: { sent: 16 * 2 ** 20, stop } });
  const last = await attempt({ service, params, path: await path, chunkSize: 5 * 2 ** 20 });
  assert.equal(last.error, undefined);
  assert.ok(last.begunAt > 0, 'the upload resumed instead of starting over');
  await assertWhole(service, params);
});
