import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { openS3 } from './s3.ts';
import { never, openAccess } from './testing.ts';

const megabyte = Buffer.alloc(1_000_000, 'x');

test('reading stops soon if a server sends more than it announced', { timeout: 30_000 }, async (t) => {
  let sent = 0;
  const server = createServer((request, response) => {
    if (request.method === 'HEAD') return void response.setHeader('content-length', 10).end();
    const send = () => {
      while (sent < 2000 && response.write(megabyte)) sent++;
      if (sent >= 2000) response.end();
    };
    response.on('drain', send);
    send();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const destination = await openS3(
    {
      type: 's3',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'eu-central-1',
      bucket: 'maps',
      isPathStyle: true,
      accessKeyId: 'A',
      secretAccessKey: 'B',
      prefix: '',
    },
    { egressPolicy: openAccess, signal: never() },
  );
  t.after(() => destination.close());
  assert.equal(await destination.read('.platen/manifest.json', 3_000_000), undefined);
  assert.ok(sent < 500, `${sent} MB were sent`);
});
