import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { end, runService } from './processes.ts';

const program = fileURLToPath(new URL('../runner/main.ts', import.meta.url));
const enrolmentToken = 'a secret between operator and runners';

test('a runner that was started elsewhere enrols with the operator’s token and does the jobs that carry its label', async () => {
  const service = await runService({ env: { PLATEN_RUNNERS: '0', PLATEN_ENROLMENT_TOKEN: enrolmentToken } });
  const scratch = await mkdtemp(join(tmpdir(), 'platen-outside-'));
  const start = (token: string) =>
    spawn(process.execPath, [program], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        PLATEN_URL: service.url,
        PLATEN_ENROLMENT_TOKEN: token,
        PLATEN_RUNNER_SCRATCH: scratch,
        PLATEN_RUNNER_LABELS: 'large',
      },
      stdio: 'ignore',
    });
  const stranger = start('guessed');
  const gone = once(stranger, 'exit', { signal: AbortSignal.timeout(120_000) });
  const runner = start(enrolmentToken);
  try {
    const { client } = service;
    const project = await client.postProject({ body: { name: 'P', description: '', bbox: [0, 0, 1, 1] } });
    const params = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
    const form = new FormData();
    form.append(
      'file',
      await openAsBlob(new URL('../examples/data/rivers.geojson', import.meta.url)),
      'r.geojson',
    );
    await client.postProjectDataBucketUpload({ params, body: form });
    const input = { type: 'internal', dataBucketId: params.dataBucketId, dataBucketKey: 'r.geojson' };
    const task = await client.postProjectTask({
      params,
      body: {
        name: 'T',
        labels: ['large'],
        jobType: 'platenTilesVector',
        parameters: {
          datasource: { command: 'create', name: 'D' },
          options: { input, tiling: { maxZoom: 2 } },
        },
      },
    });
    const stateOf = async () => {
      const { items } = await client.getProjectJobs({ params, query: { taskId: [task._id] } });
      return items[0]?.state;
    };
    for (let waitedMs = 0; (await stateOf()) !== 'succeeded' && waitedMs < 30_000; waitedMs += 100)
      await sleep(100);
    assert.equal(await stateOf(), 'succeeded');
    await gone; // a guessed token does not enrol
    assert.notEqual(stranger.exitCode, null);
    assert.notEqual(stranger.exitCode, 0);
  } finally {
    await end(stranger);
    await end(runner);
    await service.stop();
    await rm(scratch, { recursive: true, force: true });
  }
});
