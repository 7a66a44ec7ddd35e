import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test(
  'a runner that waits for the response to its registration ends at SIGTERM, without an error',
  { timeout: 60_000 },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-main-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const server = createServer(() => {}).listen(0, '127.0.0.1'); // never responds
    t.after(() => server.close().closeAllConnections());
    await once(server, 'listening');
    const requested = once(server, 'request');
    const runner = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: {
        PLATEN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        PLATEN_RUNNER_TOKEN: 'token',
        PLATEN_RUNNER_SCRATCH: folder,
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.after(() => runner.kill('SIGKILL'));
    let log = '';
    runner.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    await requested;
    runner.kill('SIGTERM');
    await once(runner, 'close');
    assert.equal(runner.exitCode, 0, log);
    assert.doesNotMatch(log, /"level":"error"/);
  },
);
