import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../base/context.ts';
import { isFresh } from './send-text.ts';

/** So long an answer is given again; changes are told at once by notification. */
const lifetimeMs = 3_000;
const maxResponses = 1_000;
const maxResponseBytes = 64 * 1024;

interface CachedResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body: Buffer;
}

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export interface ResponseCache {
  /** Routes that answer by this answer for a moment what they have answered before, where they allowed it. */
  readonly around: (send: Send) => Send;
  /** What is being answered is the same for everybody until somebody is told of a change. */
  readonly allow: (reply: FastifyReply) => void;
}

/**
 * Keeps small answers that are the same for everybody, each for a moment at most: those of apps that show a release. What was
 * looked up before a change was told is not kept, however late it comes.
 */
export function cacheResponses(app: FastifyInstance, { notifications }: Context): ResponseCache {
  const kept = new LRUCache<string, CachedResponse>({ max: maxResponses, ttl: lifetimeMs });
  const keys = new WeakMap<FastifyReply, { readonly key: string; readonly generation: number }>();
  const allowed = new WeakSet<FastifyReply>();
  let generation = 0;
  const stopListening = notifications.on('accessChanged', () => {
    generation++;
    kept.clear();
  });
  app.addHook('onClose', async () => stopListening());
  app.addHook('onSend', async (_request, reply, payload) => {
    const asked = keys.get(reply);
    if (!asked || !allowed.has(reply) || reply.statusCode !== 200) return;
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const isCurrent = asked.generation === generation && notifications.isLive();
    if (!isCurrent || !(body instanceof Buffer) || body.length > maxResponseBytes) return;
    const headers = Object.fromEntries(
      sharedHeaders.flatMap((name) => {
        const value = reply.getHeader(name);
        return value === undefined ? [] : [[name, String(value)] as const];
      }),
    );
    kept.set(asked.key, {
      headers,
      etag: headers['etag'] ?? '',
      body,
    });
  });
  return {
    around: (send) => async (request, reply) => {
      const key = keyOf(request);
      const found = kept.get(key);
      if (!found || !notifications.isLive()) {
        keys.set(reply, { key, generation });
        return send(request, reply);
      }
      void reply.headers(found.headers);
      return isFresh(request, found.etag) ? reply.code(304).send() : reply.send(found.body);
    },
    allow: (reply) => void allowed.add(reply),
  };
}

/** Of an answer; those of the request, such as its id, are made anew. */
const sharedHeaders = [
  'cache-control',
  'content-encoding',
  'content-security-policy',
  'content-type',
  'etag',
  'referrer-policy',
  'vary',
] as const;

/** All that makes a difference: the address as it was asked for, and what is negotiated. */
function keyOf({ url, protocol, host, headers }: FastifyRequest): string {
  const [path] = url.split('?');
  const { 'accept-language': language, 'accept-encoding': encoding } = headers;
  return JSON.stringify([path, protocol, host, language, encoding]);
}
