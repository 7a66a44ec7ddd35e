import type { FastifyReply } from 'fastify';
import { Failure } from '../base/failure.ts';

/** A signal that aborts when the client disconnects before its reply, or has already done so. */
export function abortOnDisconnect({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!raw.writableFinished)
      controller.abort(new Failure('invalid', 'The client disconnected before its request was complete.'));
  };
  raw.once('close', abort);
  if (raw.destroyed) abort();
  return controller.signal;
}
