import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { watchSilence } from './silence.ts';

/** A body of bytes as it comes in. */
export interface IncomingBytes {
  readonly body: AsyncIterable<Uint8Array>;
  /** How many the request declares; undefined: it comes in chunks. */
  readonly bytes: number | undefined;
}

/** The body of a request whose parser leaves it as it is; undefined when it has none. */
export function incomingBytes(request: FastifyRequest, idleMs: number): IncomingBytes | undefined {
  const { body } = request;
  if (!(body instanceof Readable)) return undefined;
  return {
    bytes: declaredBytes(request),
    body: { [Symbol.asyncIterator]: () => chunksOf(body, request, idleMs) },
  };
}

/** How long the body of a request says that it is, in bytes; undefined when it comes in chunks. */
export function declaredBytes({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Whoever stops early can still be answered: the connection stays, and what is left of the body is thrown away. */
function chunksOf(body: Readable, request: FastifyRequest, idleMs: number): AsyncIterator<Uint8Array> {
  const silence = watchSilence(request, idleMs);
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  return {
    async next() {
      const step = await silence.during(chunks.next());
      if (step.done) silence.end();
      return step;
    },
    async return() {
      silence.end();
      await chunks.return?.();
      body.resume();
      return { done: true, value: undefined };
    },
  };
}
