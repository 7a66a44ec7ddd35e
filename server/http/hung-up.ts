import type { FastifyReply } from 'fastify';
import { Failure } from '../base/failure.ts';

/** Aborts when the client goes before it was answered, also where it has gone already. */
export function hungUp({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!raw.writableFinished)
      controller.abort(new Failure('invalid', 'The client disconnected before its request was complete.'));
  };
  raw.once('close', abort);
  if (raw.destroyed) abort();
  return controller.signal;
}
