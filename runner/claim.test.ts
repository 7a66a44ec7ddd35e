import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock, test } from 'node:test';
import { maxClaimSeconds } from '@platen/contract/runner';
import { claimNextJob } from './claim.ts';
import { clientFor } from './job-client.ts';

test('a claim on a connection that has died in silence is followed by another', async (t) => {
  const died = new AbortController();
  let claims = 0;
  const server = createServer((_request, response) => {
    if (++claims === 1) return died.abort();
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ job: { jobId: 'J' } }));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token');
  const { timeout } = AbortSignal;
  const asked: number[] = [];
  mock.method(AbortSignal, 'timeout', (ms: number) => {
    asked.push(ms);
    return asked.length === 1 ? died.signal : timeout.call(AbortSignal, ms);
  });
  const job = await claimNextJob(client, () => {}, new AbortController().signal);
  assert.equal(job?.jobId, 'J');
  assert.deepEqual(
    asked,
    [1, 2].map(() => (maxClaimSeconds + 5) * 1000),
  );
});
