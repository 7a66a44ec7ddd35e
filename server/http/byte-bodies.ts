import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../base/context.ts';
import { Failure } from '../base/failure.ts';
import { incomingBytes, type IncomingBytes } from './incoming-bytes.ts';

type Bind = (app: FastifyInstance, context: Context) => void;

/**
 * Binds routes that accept plain bytes of these media types, in a scope of their own: elsewhere, such a body stays an
 * unsupported media type.
 */
export function withByteBodies(
  bind: Bind,
  mediaTypes: readonly string[] = ['application/octet-stream'],
): Bind {
  return (app, context) =>
    void app.register(async (scope) => {
      for (const type of mediaTypes)
        scope.addContentTypeParser(type, (_request, payload, done) => done(null, payload));
      bind(scope, context);
    });
}

/** The body of such a route. @throws Failure `unsupported_media_type` if it has another type */
export function bytesOf(request: FastifyRequest, { settings }: Context): IncomingBytes {
  const incoming = incomingBytes(request, settings.uploadIdleMs);
  if (incoming) return incoming;
  throw new Failure('unsupported_media_type', 'The body must be application/octet-stream.');
}
