import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { end, runService } from './processes.ts';

const program = fileURLToPath(new URL('../cli/platen.js', import.meta.url));

test('a runner started by the command enrols with a file, keeps its identity, and reconnects without a token', async () => {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  const folder = await mkdtemp(join(tmpdir(), 'platen-cli-'));
  const scratch = join(folder, 'scratch');
  const start = (...words: string[]) =>
    spawn(process.execPath, [program, 'runner', '--url', service.url, '--scratch', scratch, ...words], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      stdio: 'ignore',
    });
  const { client } = service;
  const only = async () => {
    const { items, totalCount } = await client.getAdminRunners();
    assert.ok(totalCount <= 1);
    return items[0];
  };
  const until = async (state: string) => {
    for (let waitedMs = 0; (await only())?.state !== state; waitedMs += 50) {
      assert.ok(waitedMs < 30_000, `it is ${(await only())?.state}, not ${state}`);
      await sleep(50);
    }
  };
  let runner: ReturnType<typeof start> | undefined;
  try {
    const { token } = await client.postAdminEnrolmentToken({ body: { name: '', hours: 1 } });
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, `${token}\n`);
    await chmod(tokenFile, 0o600);
    runner = start('--token-file', tokenFile, '--labels', 'far', '--memory', '300', '--cpu-seconds', '77');
    await until('idle');
    const first = await only();
    assert.deepEqual([first?.labels, first?.isOutdated, first?.isEmbedded], [['far'], false, false]);
    assert.deepEqual(
      [first?.capabilities?.memoryMegabytes, first?.capabilities?.cpuSeconds, first?.capabilities?.node],
      [300, 77, process.versions.node],
    );
    assert.ok(first?.typeNames?.includes('CheckRunner'));
    const identities = async () =>
      (await readdir(scratch)).filter((name) => /^\.runner-[\w-]+\.json$/.test(name));
    // the service knows of the runner before the runner has its answer
    for (let waitedMs = 0; (await identities()).length === 0 && waitedMs < 30_000; waitedMs += 50)
      await sleep(50);
    const kept = await identities();
    assert.equal(kept.length, 1);
    assert.equal((await stat(join(scratch, kept[0]!))).mode & 0o777, 0o600);

    await end(runner); // the signal is passed on to the runner, which deregisters
    assert.equal(runner.exitCode, 0);
    await until('stopped'); // it does not wait for the response for ever

    runner = start('--labels', 'near');
    await until('idle');
    const second = await only();
    assert.deepEqual([second?._id, second?.name, second?.labels], [first?._id, first?.name, ['near']]);

    const project = await client.postProject({ body: { name: 'P', description: '', bbox: [0, 0, 1, 1] } });
    const params = { projectId: project._id };
    const body = { name: 'T', jobType: 'platenCheckRunner', labels: ['near'], parameters: { options: {} } };
    const { lastJobId } = await client.postProjectTask({ params, body });
    const job = () => client.getProjectJob({ params: { ...params, jobId: lastJobId! } });
    for (let waitedMs = 0; (await job()).endTime === undefined && waitedMs < 30_000; waitedMs += 50)
      await sleep(50);
    assert.equal((await job()).state, 'succeeded', String((await job()).errorMessage));

    await client.deleteAdminRunner({ params: { runnerId: second!._id } });
    for (let waitedMs = 0; runner.exitCode === null && waitedMs < 30_000; waitedMs += 50) await sleep(50);
    assert.equal(runner.exitCode, 1, 'a runner that was removed ends');
    runner = start();
    for (let waitedMs = 0; runner.exitCode === null && waitedMs < 30_000; waitedMs += 50) await sleep(50);
    assert.equal(runner.exitCode, 1, 'and does not come again');
    assert.equal((await client.getAdminRunners()).totalCount, 0);
  } finally {
    if (runner) await end(runner);
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 }); // the last runner may still be ending
  }
});
