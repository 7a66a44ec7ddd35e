import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { leaseMs } from '@platen/contract/runner';
import { keepLease } from './heartbeat.ts';
import { clientFor } from './job-client.ts';

test('a heartbeat that is never answered is followed by another before the lease is over', async () => {
  let heartbeats = 0;
  const server = createServer((_request, response) => {
    if (++heartbeats === 1) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ abort: true, leaseUntil: new Date().toISOString() }));
  }).listen(0, '127.0.0.1');
  after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token');
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
