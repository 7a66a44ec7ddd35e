import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEgressPolicy } from '@platen/egress/policy';
import { JobFailure } from '@platen/processing/job-type';
import { fetchInput } from './fetch-input.ts';

const signal = AbortSignal.timeout(60_000);
const bytes = randomBytes(300_000);

test('an input is fetched under the name that its server gives it, and a forbidden address fails the job', async (t) => {
  const server = createServer((_request, response) => {
    response.setHeader('content-disposition', `attachment; filename="x"; filename*=UTF-8''Stra%C3%9Fen.zip`);
    response.end(bytes);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'platen-fetch-'));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/download?id=7`;
  const file = await fetchInput(url, { folder, policy: parseEgressPolicy('http 127.0.0.1/32'), signal });
  assert.deepEqual(file, { path: join(folder, 'Straßen.zip'), name: 'Straßen.zip', size: bytes.length });
  assert.ok((await readFile(file.path)).equals(bytes));
  await assert.rejects(
    fetchInput(url, { folder, policy: parseEgressPolicy('http'), signal }),
    (error) => error instanceof JobFailure && error.code === 'privateAddress',
  );
});
