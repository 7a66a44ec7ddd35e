import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from './database.ts';

/** The answers of PostgreSQL that matter here, as its protocol writes them. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
const authenticated = message('R', Buffer.from([0, 0, 0, 0]));
const ready = message('Z', Buffer.from('I'));
const dying = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0', 'latin1'));

test('a server that dies while it accepts a connection does not end the process', async () => {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    // all in one piece: nobody has the connection yet when the last of it is read
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, dying])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const db = openDatabase(`postgresql://somebody@127.0.0.1:${port}/any`);
  try {
    await assert.rejects(sql`select 1`.execute(db));
    await assert.rejects(sql`select 1`.execute(db));
  } finally {
    await db.destroy();
    server.close();
  }
});
