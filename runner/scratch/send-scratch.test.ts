import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { hashSecret, newSecret } from '../../server/base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../../server/jobs/runners/enrolment-store.ts';
import { projectWithCities, tilingTask } from '../../server/jobs/tasks/testing.ts';
import { startService } from '../../server/testing.ts';
import { clientFor } from '../job-client.ts';
import { startReport } from '../report.ts';
import { sendScratch } from './send-scratch.ts';
import { afterFile } from '../../checks/clean-up.ts';

const run = promisify(execFile);
const service = await startService();
const { admin, app, as, context } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const enrolmentToken = newSecret();
await allowEnrolment(context.db, hashSecret(enrolmentToken));
const enrolment = { enrolmentToken, name: 'R', labels: [], version: '' };
const runner = as((await as().postRunnerEnrol({ body: enrolment })).token);

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-sent-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function hold(quotaBytes?: number) {
  const { projectId, bucketId } = await projectWithCities(service);
  if (quotaBytes !== undefined)
    await admin.putProject({ params: { projectId }, body: { quota: { bytes: quotaBytes } } });
  await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId, { debugLevel: 2 }) });
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  const { jobId, token } = job!;
  const client = clientFor(url, token);
  const report = startReport(client, jobId);
  const send = async (folder: string, timeoutMs = 60_000) => {
    await sendScratch(folder, { client, jobId, report, signal: new AbortController().signal, timeoutMs });
    await report.close();
  };
  return { params: { projectId, jobId }, send };
}

async function unpacked(params: { projectId: string; jobId: string }): Promise<string> {
  const folder = await emptyFolder();
  const reply = await admin.getProjectJobFile({ params, query: { name: 'scratch.tar.gz' } });
  await writeFile(join(folder, 'a.tar.gz'), new Uint8Array(await reply.arrayBuffer()));
  await run('tar', ['-xzf', 'a.tar.gz'], { cwd: folder });
  return folder;
}

test('the files of the folder are kept with the job, except targets of links', async () => {
  const { params, send } = await hold();
  const [folder, elsewhere] = [await emptyFolder(), await emptyFolder()];
  await mkdir(join(folder, 'tiles/deep'), { recursive: true });
  await writeFile(join(folder, 'tiles/deep/notes'), 'how far it was');
  await writeFile(join(folder, 'ä b'), 'x'.repeat(1_000_000));
  await writeFile(join(elsewhere, 'secret'), 'of the runner');
  await symlink(join(elsewhere, 'secret'), join(folder, 'link'));
  await symlink(elsewhere, join(folder, 'links'));
  await send(folder);
  const sent = await unpacked(params);
  assert.equal(await readFile(join(sent, 'scratch/tiles/deep/notes'), 'utf8'), 'how far it was');
  assert.equal((await readFile(join(sent, 'scratch/ä b'))).length, 1_000_000);
  assert.deepEqual((await readdir(join(sent, 'scratch'))).toSorted(), ['tiles', 'ä b']);
});

test('above 256 MiB the largest files are omitted and named', async () => {
  const { params, send } = await hold();
  const folder = await emptyFolder();
  for (const [name, megabytes] of [
    ['small', 1],
    ['half', 140],
    ['more', 150],
    ['huge', 5000],
  ] as const) {
    await writeFile(join(folder, name), '');
    await truncate(join(folder, name), megabytes * 2 ** 20); // takes no room
  }
  await send(folder);
  const sent = await unpacked(params);
  assert.deepEqual((await readdir(join(sent, 'scratch'))).toSorted(), ['half', 'small']);
  const { files, count } = JSON.parse(await readFile(join(sent, 'left-out.json'), 'utf8')) as {
    files: { name: string }[];
    count: number;
  };
  assert.deepEqual([count, files.map(({ name }) => name)], [2, ['huge', 'more']]);
});

test('if there is no space for the folder, the log of the job says so', async () => {
  const { params, send } = await hold(5000);
  const folder = await emptyFolder();
  await writeFile(join(folder, 'a'), Buffer.from(Array.from({ length: 20_000 }, () => Math.random() * 256)));
  await send(folder);
  const { items } = await admin.getProjectJobLog({ params });
  assert.match(items.map(({ message }) => message).join('\n'), /The scratch folder could not be stored/);
  assert.deepEqual((await admin.getProjectJobFiles({ params })).items, []);
});

test('a file that takes too long to send is omitted, and the log of the job says so', async () => {
  const { params, send } = await hold();
  const folder = await emptyFolder();
  await writeFile(join(folder, 'a'), '');
  await truncate(join(folder, 'a'), 200 * 2 ** 20); // takes no room, and seconds to pack
  await send(folder, 20);
  const { items } = await admin.getProjectJobLog({ params });
  assert.match(items.map(({ message }) => message).join('\n'), /The scratch folder could not be stored/);
  assert.deepEqual((await admin.getProjectJobFiles({ params })).items, []);
});
