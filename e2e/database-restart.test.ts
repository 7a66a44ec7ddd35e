// A test of faults.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runService } from './processes.ts';

const readyWithinMs = 30_000;

test('when PostgreSQL is killed, requests are told to try again, nothing acknowledged is lost, and the service recovers by itself', async (t) => {
  const service = await runService({ env: { PLATEN_LOG_LEVEL: 'error' } });
  let isOver = false;
  try {
    const created: string[] = [];
    const statuses = new Map<number, number>();
    const write = async () => {
      while (!isOver) {
        const body = { name: 'P', description: '', bbox: [0, 0, 1, 1] };
        await service.client.postProject({ body }).then(
          (project) => created.push(project._id),
          (error: { status?: number }) =>
            statuses.set(error.status ?? 0, (statuses.get(error.status ?? 0) ?? 0) + 1),
        );
        await sleep(5);
      }
    };
    const writers = [write(), write(), write(), write()];
    for (let round = 0; round < 3; round++) {
      await sleep(400);
      const pid = Number(
        (await readFile(join(service.dataFolder, 'postgres/pgdata/postmaster.pid'), 'utf8')).split('\n')[0],
      );
      process.kill(pid, 'SIGKILL');
      const before = created.length;
      const killedAt = performance.now();
      while (created.length < before + 8) {
        assert.ok(performance.now() - killedAt < readyWithinMs, 'it works again in time');
        await sleep(20);
      }
      t.diagnostic(`working again after ${Math.round(performance.now() - killedAt)} ms`);
    }
    isOver = true;
    await Promise.all(writers);
    assert.deepEqual(
      [...statuses.keys()].filter((status) => status !== 503),
      [],
      'nothing but 503 was answered',
    );
    for (const projectId of created) await service.client.getProject({ params: { projectId } });
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  } finally {
    isOver = true;
    await service.stop();
  }
});
