import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// The yardstick of stored configurations: the same compressed bytes from memory, and a 304 for who has them.
const bytes = readFileSync(process.env['CONFIG_FILE']!);
const etag = process.env['CONFIG_ETAG']!;

const server = createServer((request, reply) => {
  if (request.headers['if-none-match'] === etag) {
    reply.writeHead(304, { etag }).end();
    return;
  }
  reply
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'br',
      'content-length': bytes.length,
      etag,
    })
    .end(bytes);
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
