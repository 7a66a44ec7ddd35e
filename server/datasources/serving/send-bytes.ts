import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenObject } from '@platen/storage/object-store';
import type { Caching } from './file-headers.ts';
import type { ByteRange } from '../../http/ranges.ts';

/** One request for data, past Fastify: at tens of thousands a second its hooks and serialisers would be half the cost. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caching: Caching;
}

export type Headers = Record<string, string | number>;

/** Read and written in one piece up to here, in pieces of this size beyond. */
export const chunkBytes = 256 * 1024;

export function finish({ response }: Exchange, status: number, headers: Headers): boolean {
  response.writeHead(status, headers).end();
  return true;
}

/**
 * Writes these bytes of an object, no faster than the client takes them. false: the client went, which is no error of
 * anybody; whoever wrote the last ends the response.
 */
export async function writeRange(
  object: OpenObject,
  { start, end }: ByteRange,
  response: ServerResponse,
): Promise<boolean> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    for (let at = start; at <= end && !response.destroyed; at += chunkBytes) {
      const bytes = await object.read(at, Math.min(chunkBytes, end - at + 1));
      if (!response.write(bytes)) await once(response, 'drain', { signal: gone.signal });
    }
    return !response.destroyed;
  } catch (error) {
    response.destroy();
    if (!gone.signal.aborted) throw error;
    return false;
  } finally {
    response.off('close', leave);
  }
}
