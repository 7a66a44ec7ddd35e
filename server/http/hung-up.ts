import type { FastifyReply } from 'fastify';
import { Failure } from '../failure.ts';

/** Aborts when the client goes before it was answered. */
export function hungUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished)
      controller.abort(new Failure('invalid', 'The client went before its request was complete.'));
  });
  return controller.signal;
}
