import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { afterFile } from '../../checks/clean-up.ts';

/** A proxy that can stop or break connections after some bytes, and counts those of uploads. */
export async function startProxy(target: string) {
  let sent = 0;
  let limit: { bytes: number; reached: () => void; breaks: boolean } | undefined;
  const server = createServer((incoming, reply) => {
    const { method = 'GET', url = '', headers } = incoming;
    const outgoing = request(target + url, { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => reply.writableFinished || outgoing.destroy());
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sent += chunk.length;
        if (limit === undefined || sent < limit.bytes) return done(null, chunk);
        const { reached, breaks } = limit;
        reached();
        if (!breaks) return; // the rest stays here
        limit = undefined;
        incoming.destroy();
      },
    });
    incoming.pipe(counter).pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const after = (bytes: number, breaks: boolean) =>
    new Promise<void>((reached) => (limit = { bytes: sent + bytes, reached, breaks }));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    /** Lets no more than this number of bytes through; resolves when they have arrived. */
    holdAfter: (bytes: number) => after(bytes, false),
    release: () => (limit = undefined),
    /** Breaks one connection after this number of bytes; resolves when that happens. */
    breakAfter: (bytes: number) => after(bytes, true),
  };
}
