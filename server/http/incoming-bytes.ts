import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { watchIdle } from './idle-watch.ts';
import { uploadShare } from './loop-share.ts';

/** A request body, read in chunks. */
export interface IncomingBytes {
  readonly body: AsyncIterable<Uint8Array>;
  /** The declared size; undefined for chunked encoding. */
  readonly bytes: number | undefined;
}

/** The body of a request that no parser has read; undefined if it has none. */
export function incomingBytes(request: FastifyRequest, idleMs: number): IncomingBytes | undefined {
  const { body } = request;
  if (!(body instanceof Readable)) return undefined;
  return {
    bytes: declaredBytes(request),
    body: { [Symbol.asyncIterator]: () => chunksOf(body, request, idleMs) },
  };
}

/** The declared size of the body in bytes; undefined for chunked encoding. */
export function declaredBytes({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Reading may stop early: the connection stays open for the reply, and the rest of the body is discarded. */
function chunksOf(body: Readable, request: FastifyRequest, idleMs: number): AsyncIterator<Uint8Array> {
  const silence = watchIdle(request, idleMs);
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  return {
    async next() {
      const step = await silence.during(chunks.next());
      if (step.done) silence.end();
      else await uploadShare.take(step.value.byteLength);
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
