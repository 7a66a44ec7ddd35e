import type { FastifyInstance } from 'fastify';

const jsonBodyLimitMs = 30_000;

/** Disconnects clients that take too long to send a JSON body: these are small, so the delay is likely deliberate. */
export function limitBodyTime(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (/json|urlencoded/.test(request.headers['content-type'] ?? '') && !request.raw.complete) {
      const timer = setTimeout(() => request.raw.destroy(), jsonBodyLimitMs).unref();
      payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
    }
    done(null, payload);
  });
}
