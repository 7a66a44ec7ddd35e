import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeLas } from '@platen/formats/las/testing';
import { startService } from '../testing.ts';
import { startRunner } from './testing-runner.ts';

const service = await startService();
const { admin, app } = service;

const points = Array.from({ length: 500 }, (_, i) => ({
  x: 600_000 + i,
  y: 5_400_000,
  z: 500,
  intensity: i,
}));

test('a task for point clouds as clients of other servers send it makes tiles, and stays as it was sent', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const runners = await startRunner(service);
  const { _id: projectId } = await admin.postProject({
    body: { name: 'City', description: '', bbox: [5, 45, 15, 55] },
  });
  const params = { projectId };
  const { _id: dataBucketId } = await admin.postProjectDataBucket({
    params,
    body: { name: 'Scans', description: '' } as never,
  });
  const form = new FormData();
  // no coordinate system of its own
  form.append('file', new Blob([new Uint8Array(writeLas({ points }))]), 'scan.las');
  await admin.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const { _id: datasourceId } = await admin.postProjectDatasource({
    params,
    body: {
      name: 'Points',
      type: 'tileset',
      sourceProperties: { type: 'external', url: 'https://example.org/tileset.json' },
    } as never,
  });
  const parameters = {
    command: 'conversion',
    epsgCode: 25832,
    dataset: { type: 'internal', dataBucketId, dataBucketKey: '/' },
    datasource: { command: 'update', datasourceId },
  };
  const task = await admin.postProjectTask({
    params,
    body: { name: 'Conversion', jobType: 'pointcloud', parameters } as never,
  });
  assert.deepEqual([task.jobType, task.parameters, task.warnings ?? []], ['pointcloud', parameters, []]);
  const job = await endOf(projectId, task.lastJobId!);
  assert.deepEqual([job.state, job.errorMessage ?? ''], ['succeeded', '']);
  const { properties, bbox } = await admin.getProjectDatasource({ params: { projectId, datasourceId } });
  assert.equal(properties!['pointCount'], 500);
  assert.ok(bbox![0]! > 10.3 && bbox![2]! < 10.4, String(bbox));
  const wrong = { ...parameters, dataset: { ...parameters.dataset, dataBucketId: 'none' } };
  const refused = admin.postProjectTask({
    params,
    body: { name: 'Wrong', jobType: 'pointcloud', parameters: wrong } as never,
  });
  await assert.rejects(refused, { status: 422 });
  await runners.stop();
});

async function endOf(projectId: string, jobId: string) {
  for (;;) {
    const job = await admin.getProjectJob({ params: { projectId, jobId } });
    if (job.state !== 'queued' && job.state !== 'running') return job;
    await sleep(100);
  }
}
