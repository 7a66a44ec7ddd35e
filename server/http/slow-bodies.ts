import type { FastifyInstance } from 'fastify';

const jsonBodyLimitMs = 30_000;

/** JSON bodies are small: whoever takes longer than this to send one is holding a connection open on purpose. */
export function endSlowBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (/json|urlencoded/.test(request.headers['content-type'] ?? '') && !request.raw.complete) {
      const timer = setTimeout(() => request.raw.destroy(), jsonBodyLimitMs).unref();
      payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
    }
    done(null, payload);
  });
}
