import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFsStore } from '@platen/storage/fs';
import { createApp } from '../../app.ts';
import { sendTo, startService } from '../../testing.ts';
import { kept, metadata, newBucket, tusClient, tusPath } from './testing.ts';

const service = await startService();

test('a disk that is full during an upload is reported with 507, and nothing remains', async (t) => {
  const small = join(service.dataFolder, 'small');
  await mkdir(small);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', small]);
  if (mount.status !== 0) return t.skip('NOT PROVEN HERE: a small file system cannot be mounted');
  t.after(() => execFileSync('umount', ['-l', small]));
  const context = { ...service.context, store: await openFsStore(small) };
  const app = await createApp(context);
  t.after(() => app.close());
  const onSmallDisk = { ...service, app, context };
  const tus = tusClient(onSmallDisk);
  const params = await newBucket(service);
  const { projectId, dataBucketId } = params;

  const uploadForm = (size: number) => {
    const form = new FormData();
    form.append('file', new Blob([Buffer.alloc(size, 1)]), `${size}.bin`);
    return sendTo(app)(`/api/v1/project/${projectId}/data-bucket/${dataBucketId}/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.adminToken}` },
      body: form,
    });
  };
  const uploadTus = async (key: string, size: number) => {
    const headers = { 'upload-length': String(size), 'upload-metadata': metadata({ key }) };
    const { location } = await tus('POST', tusPath(params), { headers });
    const body = Buffer.alloc(size, 2);
    return { ...(await tus('PATCH', location, { headers: { 'upload-offset': '0' }, body })), location };
  };

  const form = await uploadForm(12_000_000);
  assert.deepEqual([form.status, ((await form.json()) as { code: string }).code], [507, 'storage_full']);
  const { status, problem, location } = await uploadTus('large.bin', 12_000_000);
  assert.deepEqual([status, problem?.code], [507, 'storage_full']);
  assert.equal((await tus('HEAD', location)).status, 404);
  assert.deepEqual(await kept(onSmallDisk), { objects: 0, drafts: 0 });
  assert.equal((await service.admin.getProjectDataBucketObjects({ params })).totalCount, 0);
  assert.deepEqual((await service.admin.getProjectUsage({ params })).reserved, { bytes: 0, objects: 0 });

  assert.equal((await uploadForm(3_000_000)).status, 204);
  assert.equal((await uploadTus('small.bin', 3_000_000)).status, 204);
  assert.deepEqual(await kept(onSmallDisk), { objects: 2, drafts: 0 });
});
