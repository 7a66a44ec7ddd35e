import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { end, untilAnswers } from './processes.ts';

function run(t: TestContext, code: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('a process that ignores its signal is killed and named', async (t) => {
  const child = run(t, `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')`);
  await once(child.stdout!, 'data');
  await assert.rejects(
    end(child, 'SIGTERM', 100),
    /^Error: Process \d+ \(-e .*\) was killed.* SIGTERM for 100 ms/,
  );
  assert.equal(child.signalCode, 'SIGKILL');
});

test('a process that ends or stays silent instead of answering is an error that names it', async (t) => {
  const server = createServer().listen(0, '127.0.0.1'); // accepts connections and sends nothing
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const limits = { startMs: 60_000, answerMs: 100 };
  await assert.rejects(
    untilAnswers(url, run(t, 'process.exit(3)'), limits),
    /ended with 3 before it answered/,
  );
  const silent = run(t, 'setInterval(() => {}, 1000)');
  await assert.rejects(
    untilAnswers(url, silent, { ...limits, startMs: 300 }),
    /did not answer at .* within 0.3 s/,
  );
  assert.equal(silent.signalCode, 'SIGKILL');
});
