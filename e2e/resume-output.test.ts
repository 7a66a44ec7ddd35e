// A test of faults.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { clientFor } from '../runner/job-client.ts';
import { openDatabase } from '../server/base/database/database.ts';
import { afterFile } from '../checks/clean-up.ts';
import { end, freePort, runService } from './processes.ts';
import { enrolmentToken } from './testing-cluster.ts';
import { startPreparedPostgres } from './testing-prepared.ts';

const bytes = randomBytes(48 * 2 ** 20);
const pieceBytes = 2 ** 20;

test('a large output continues after a kill -9 of the service in the middle', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-resume-output-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPreparedPostgres(join(folder, 'postgres'));
  afterFile(() => postgres.stop());
  const env = {
    DATABASE_URL: postgres.url,
    PLATEN_RUNNERS: '0',
    PLATEN_ENROLMENT_TOKEN: enrolmentToken,
  };
  const options = { dataFolder: join(folder, 'data'), env, port: await freePort() };
  let service = await runService(options);
  afterFile(() => service.stop());
  const { client, url } = service;
  const project = await client.postProject({ body: { name: 'R', description: '', bbox: [0, 0, 1, 1] } });
  const place = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
  await client.postProjectDataBucketUploadFromUrl({
    params: place,
    body: { url: 'https://example.org/a.bin' },
  });
  const enrolment = { enrolmentToken, name: 'runner', labels: [], version: '' };
  const runner = clientFor(url, (await clientFor(url).postRunnerEnrol({ body: enrolment })).token);
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  const [holder, params] = [clientFor(url, job!.token), { jobId: job!.jobId }];
  await holdForAnHour(postgres.url);
  const send = (offset: number, onPiece?: (end: number) => Promise<void>) => {
    const body = Readable.toWeb(Readable.from(pieces(offset, onPiece))) as ReadableStream;
    const query = { key: 'a.bin', size: bytes.length, offset };
    return holder.putRunnerJobOutputPart({ params, query, body });
  };
  const killInTheMiddle = async (sent: number) => {
    if (sent > bytes.length / 2) await end(service.child, 'SIGKILL');
  };
  await assert.rejects(send(0, killInTheMiddle), TypeError);
  service = await runService(options);
  const { offset } = await holder.getRunnerJobOutputPart({ params, query: { key: 'a.bin' } });
  t.diagnostic(`${offset} of ${bytes.length} bytes survived`);
  assert.ok(offset > 4 * pieceBytes && offset < bytes.length, `${offset}`);
  assert.deepEqual(await send(offset), { offset: bytes.length });
  await holder.postRunnerJobComplete({ params, body: { warnings: [] } });
  const reply = await client.getProjectDataBucketDownloadFile({ params: place, query: { key: 'a.bin' } });
  assert.ok(bytes.equals(Buffer.from(await reply.arrayBuffer())));
});

async function* pieces(from: number, onPiece?: (end: number) => Promise<void>): AsyncGenerator<Uint8Array> {
  for (let at = from; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
    await onPiece?.(at + pieceBytes);
  }
}

/** So that the job is still held however long the service takes to start again. */
async function holdForAnHour(databaseUrl: string): Promise<void> {
  const db = openDatabase(databaseUrl, { maxConnections: 1 });
  await db
    .updateTable('job')
    .set({ lease_until: new Date(Date.now() + 3_600_000) })
    .execute();
  await db.destroy();
}
