import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

// The yardstick of uploads: the body is piped to a file and fsynced, nothing is parsed or hashed.
const file = join(process.env['FOLDER']!, 'bare.bin');

const server = createServer((request, reply) => {
  if (request.method === 'GET') return void reply.end();
  store(request).then(
    () => reply.writeHead(204).end(),
    () => reply.writeHead(500).end(),
  );
});
server.listen(Number(process.env['PORT']), '127.0.0.1');

async function store(request: NodeJS.ReadableStream): Promise<void> {
  await rm(file, { force: true });
  await pipeline(request, createWriteStream(file));
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}
