import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedJob, leaseMs } from '@platen/contract/runner';
import { keepLease, reportComplete, runAttempt } from './attempt.ts';
import { clientFor } from './job-client.ts';

async function clientOf(t: TestContext, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token');
}

test('a service that accepts requests and never answers', { concurrency: true }, async (t) => {
  const first = t.test('a heartbeat is followed by another before the lease is over', async (t) => {
    let heartbeats = 0;
    const client = await clientOf(t, (_request, response) => {
      if (++heartbeats === 1) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ abort: true, leaseUntil: new Date().toISOString() }));
    });
    const heard: string[] = [];
    const began = performance.now();
    await keepLease(client, 'J', {
      signal: new AbortController().signal,
      isCompleting: () => false,
      onAbort: () => heard.push('abort'),
      onLost: () => heard.push('lost'),
    });
    assert.deepEqual([heard, heartbeats], [['abort'], 2]);
    assert.ok(performance.now() - began < leaseMs - 3000);
  });
  const all = t.test(
    'if no heartbeat is answered, the job is given up before its lease is over',
    async (t) => {
      const client = await clientOf(t, () => {});
      const heard: string[] = [];
      const lease = setTimeout(() => heard.push('over'), leaseMs);
      t.after(() => clearTimeout(lease));
      await keepLease(client, 'J', {
        signal: new AbortController().signal,
        isCompleting: () => false,
        onAbort: () => heard.push('abort'),
        onLost: () => heard.push('lost'),
      });
      assert.deepEqual(heard, ['lost']);
    },
  );
  const completing = t.test('a job that is being completed is not given up', async (t) => {
    const client = await clientOf(t, () => {});
    const heard: string[] = [];
    const ended = new AbortController();
    setTimeout(() => ended.abort(), leaseMs + 1000);
    await keepLease(client, 'J', {
      signal: ended.signal,
      isCompleting: () => true,
      onAbort: () => heard.push('abort'),
      onLost: () => heard.push('lost'),
    });
    assert.deepEqual(heard, []);
  });
  const stops = (['progress', 'complete'] as const).map((request) =>
    t.test(`does not keep a runner from shutting down that waits for the response to “${request}”`, (t) =>
      stopAt(t, request),
    ),
  );
  await Promise.all([first, all, completing, ...stops]);
});

/** Shuts a runner down once its job has made this request, which is not answered. */
async function stopAt(t: TestContext, request: 'progress' | 'complete'): Promise<void> {
  const requested: string[] = [];
  const client = await clientOf(t, ({ url = '' }, response) => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    requested.push(name);
    if (request === 'complete' && name !== request)
      response.setHeader('content-type', 'application/json').end('{}');
  });
  const shutdown = new AbortController();
  const job: ClaimedJob = {
    jobId: 'J',
    attempt: 1,
    token: 'token',
    jobType: 'platenCheckRunner',
    debugLevel: 0,
    options: {},
    inputs: [],
    leaseUntil: new Date().toISOString(),
    timeoutSeconds: 60,
  };
  const ended = runAttempt(
    { client, job, log: () => {}, shutdown: shutdown.signal },
    {
      async work(attempting) {
        attempting.report.progress({ phase: 'check', done: 1, total: 2 });
        const completed = request === 'complete' && reportComplete(attempting, {});
        while (!requested.includes(request)) await sleep(10);
        shutdown.abort();
        await completed;
        attempting.signal.throwIfAborted();
      },
      beforeEnd: async () => {},
      afterwards: async () => {},
    },
  );
  const timer = new AbortController();
  const isEnded = Promise.race([ended.then(() => true), sleep(leaseMs, false, { signal: timer.signal })]);
  assert.ok(await isEnded, `it still waits for ${requested.join(', ')}`);
  timer.abort();
  assert.ok(requested.includes('release'));
}
