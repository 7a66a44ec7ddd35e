import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../base/config.ts';

/** How long a client may continue to send a body after the response. */
const maxRestMs = 5_000;

/**
 * Disconnects clients that take too long to send a body: JSON and forms are small, so the delay is likely deliberate. What
 * nobody reads (the body of a GET, or one of a refused type) has to end soon after the response. Handlers limit uploads
 * themselves (idle-watch.ts).
 */
export function limitBodyTime(
  app: FastifyInstance,
  { bodyTimeoutMs }: Pick<Settings, 'bodyTimeoutMs'>,
): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (/json|urlencoded/.test(request.headers['content-type'] ?? '') && !request.raw.complete) {
      const timer = setTimeout(() => request.raw.destroy(), bodyTimeoutMs).unref();
      payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
    }
    done(null, payload);
  });
  const restMs = Math.min(maxRestMs, bodyTimeoutMs);
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request.raw)) reply.raw.once('finish', () => limitRest(request.raw, restMs));
    done();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** `complete` becomes true with the last byte, also if nobody reads it. */
function limitRest(request: IncomingMessage, restMs: number): void {
  const { socket } = request;
  if (request.complete || !(socket instanceof Socket)) return;
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, restMs).unref();
  // of the request, not of its connection, which may carry any number of them
  request.once('close', () => clearTimeout(timer));
}
