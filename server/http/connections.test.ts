import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterFile } from '../../checks/clean-up.ts';
import { defaultSettings, type Settings } from '../base/config.ts';
import { startService } from '../testing.ts';

async function listen(settings: Partial<Settings>) {
  const { app } = await startService({ settings });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    afterFile(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { app, port, open };
}

/** What a client receives until the connection ends. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

/** The service learns of sockets a moment after the client. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await isSo()); tries++) {
    assert.ok(tries < 500);
    await sleep(20);
  }
}

const livez = 'GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

test('bodies that drip are ended, whatever their type and method', async () => {
  const { open } = await listen({ bodyTimeoutMs: 300 });
  const length = 'content-length: 100000';
  const requests = [
    `POST /api/v1/login HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n${length}`,
    `POST /api/v1/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${length}`,
    'POST /api/v1/project HTTP/1.1\r\nhost: a\r\ncontent-type: x/y\r\ntransfer-encoding: chunked',
    `GET /api/v1/public-apps HTTP/1.1\r\nhost: a\r\n${length}`,
    `GET /data/x/tile HTTP/1.1\r\nhost: a\r\n${length}`,
    `HEAD /livez HTTP/1.1\r\nhost: a\r\n${length}`,
    `DELETE /nothing HTTP/1.1\r\nhost: a\r\n${length}`,
  ];
  await Promise.all(
    requests.map(async (request) => {
      const socket = await open();
      socket.write(`${request}\r\n\r\n`);
      const drip = setInterval(() => socket.write(request.includes('chunked') ? '1\r\n \r\n' : ' '), 50);
      const text = await received(socket).finally(() => clearInterval(drip));
      if (!request.includes('json')) assert.match(text, /^HTTP\/1\.1 \d/, request);
    }),
  );
});

test('a body that ends soon after the response leaves its connection open', async () => {
  const { open } = await listen({ bodyTimeoutMs: 5_000 });
  const socket = await open();
  socket.write('GET /livez HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n');
  await once(socket, 'data');
  socket.write(`ab${livez}`);
  assert.match(await received(socket), /^HTTP\/1\.1 200 /);
});

test('a connection does not grow with the bodies that come after their responses', async () => {
  const { app, open } = await listen({});
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const socket = await open();
  const [serverSide] = await accepted;
  const counts: number[] = [];
  for (let i = 0; i < 5; i++) {
    socket.write('GET /livez HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n');
    await once(socket, 'data');
    socket.write('ab');
    counts.push(serverSide.listenerCount('close'));
  }
  assert.equal(counts.at(-1), counts[0], counts.join());
});

test('connections of an address are limited, with a word why, and there is room again after one ends', async () => {
  const { open } = await listen({ maxConnectionsPerAddress: 3 });
  const first = await Promise.all([open(), open(), open()]);
  const refused = await open();
  refused.write(livez);
  const text = await received(refused);
  assert.match(text, /^HTTP\/1\.1 429 [^]*retry-after: 10\r\n[^]*"code":"too_many_requests"/);
  first[0]!.destroy();
  for (let reply = text; !reply.startsWith('HTTP/1.1 200');) {
    const next = await open();
    next.write(livez);
    reply = await received(next);
  }
});

test('connections are limited in all', async () => {
  const { open } = await listen({ maxConnections: 2 });
  await Promise.all([open(), open()]);
  const refused = await open();
  refused.write(livez);
  assert.match(await received(refused), /^HTTP\/1\.1 503 [^]*retry-after: 10\r\n[^]*"code":"unavailable"/);
});

test('the connections of a trusted proxy are not limited, but the requests of each of its clients are', async () => {
  const { app, open } = await listen({ maxConnectionsPerAddress: 2, trustProxy: ['127.0.0.0/8'] });
  const sockets = await Promise.all([open(), open(), open(), open(), open()]);
  const login = (client: string) =>
    `POST /api/v1/login HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${client}\r\n` +
    'content-type: application/json\r\ncontent-length: 50\r\n\r\n';
  sockets[0]!.write(login('2001:db8::1'));
  sockets[1]!.write(login('2001:db8::2'));
  const ask = async (client: string) => {
    const url = '/livez';
    return (await app.inject({ url, headers: { 'x-forwarded-for': client } })).statusCode;
  };
  await until(async () => (await ask('2001:db8::3')) === 429);
  assert.equal(await ask('2001:db8:0:1::1'), 200);
  sockets[0]!.destroy();
  await until(async () => (await ask('2001:db8::3')) === 200);
});

test('the limits of the product leave room for an office behind one address', () => {
  assert.ok(defaultSettings.maxConnectionsPerAddress >= 1024);
  assert.ok(defaultSettings.maxConnections >= 4 * defaultSettings.maxConnectionsPerAddress);
});
