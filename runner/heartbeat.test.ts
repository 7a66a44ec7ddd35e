import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { leaseMs } from '@platen/contract/runner';
import { keepLease } from './attempt.ts';
import { clientFor } from './job-client.ts';

async function clientOf(t: TestContext, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token');
}

test('heartbeats that are never answered', { concurrency: true }, async (t) => {
  const first = t.test('the first one is followed by another before the lease is over', async (t) => {
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
      onAbort: () => heard.push('abort'),
      onLost: () => heard.push('lost'),
    });
    assert.deepEqual([heard, heartbeats], [['abort'], 2]);
    assert.ok(performance.now() - began < leaseMs - 3000);
  });
  const all = t.test('when none is, the job is given up before its lease is over', async (t) => {
    const client = await clientOf(t, () => {});
    const heard: string[] = [];
    const lease = setTimeout(() => heard.push('over'), leaseMs);
    t.after(() => clearTimeout(lease));
    await keepLease(client, 'J', {
      signal: new AbortController().signal,
      onAbort: () => heard.push('abort'),
      onLost: () => heard.push('lost'),
    });
    assert.deepEqual(heard, ['lost']);
  });
  await Promise.all([first, all]);
});
