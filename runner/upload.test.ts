import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { maxStreamedFileBytes } from '@platen/contract/runner-outputs';
import { afterFile } from '../checks/clean-up.ts';
import { clientFor } from './job-client.ts';
import { upload } from './upload.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-upload-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

test('a large file that is refused ends the uploads beside it', { timeout: 20_000 }, async (t) => {
  const output = join(folder, 'output');
  await mkdir(output);
  for (const name of ['endless', 'refused']) {
    await writeFile(join(output, name), Buffer.alloc(maxStreamedFileBytes + 1));
  }
  const isSending = Promise.withResolvers<void>();
  const isEnded = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const key = new URL(request.url!, 'http://here').searchParams.get('key');
    if (key === 'endless') {
      request.resume(); // a paused connection does not notice its end
      isSending.resolve();
      response.on('close', isEnded.resolve);
    } else {
      request.resume().on('end', async () => {
        await isSending.promise;
        response.writeHead(422, { 'content-type': 'application/json' }).end('{}');
      });
    }
  }).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token');
  const { signal } = new AbortController();
  await assert.rejects(upload(client, { jobId: 'J', folder: output, signal, progress: () => {} }), {
    status: 422,
  });
  await isEnded.promise;
});
