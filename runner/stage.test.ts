import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEgressPolicy } from '@platen/egress/policy';
import { afterFile } from '../checks/clean-up.ts';
import { clientFor } from './job-client.ts';
import { stage } from './stage.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-stage-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

test('a file of a folder that cannot be copied ends the copies beside it', { timeout: 20_000 }, async (t) => {
  const sha256 = 'a'.repeat(64);
  const members = ['changed', 'endless'].map((name) => ({ name, size: 5, sha256 }));
  const server = createServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url!, 'http://here');
    if (pathname.endsWith('/members')) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ members }));
    } else if (searchParams.get('member') === 'endless') response.writeHead(200).write('n');
    else setTimeout(() => response.end('new'), 100);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token');
  const inputs = [{ kind: 'folder', name: 'tiles', size: 10 }];
  const staging = stage(client, { jobId: 'J', inputs } as never, {
    folder,
    isEmbedded: false,
    egressPolicy: parseEgressPolicy(''),
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  await assert.rejects(staging, { code: 'inputChanged', message: /“changed” was changed/ });
});
