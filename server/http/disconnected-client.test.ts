import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { openEventStream } from './event-stream.ts';
import { abortOnDisconnect } from './abort-on-disconnect.ts';
import { afterFile } from '../../checks/clean-up.ts';

/** The response to a client that disconnected during authorisation. */
async function lateReply(): Promise<ServerResponse> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterFile(() => server.close());
  const request = get({ port: (server.address() as AddressInfo).port });
  request.on('error', () => {});
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse];
  request.destroy();
  await once(raw, 'close');
  return raw;
}

test('the stream of a client that disconnected before it began ends at once', async () => {
  const raw = await lateReply();
  let ends = 0;
  const reply = { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply;
  const stream = openEventStream(reply, { heartbeat: () => '', onEnd: () => void ends++ });
  assert.deepEqual([stream.isOpen, ends], [false, 1]);
  await stream.write('to nobody');
  stream.end();
  assert.equal(ends, 1);
});

test('a client that has already disconnected is not waited for', async () => {
  assert.equal(abortOnDisconnect({ raw: await lateReply() }).aborted, true);
});
