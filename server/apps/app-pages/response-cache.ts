import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../base/context.ts';
import { isFresh } from './send-text.ts';

/** Lifetime of a cached response; changes are also announced by notification at once. */
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
  /** Wraps a handler so that it repeats its recent response, if that response was allowed. */
  readonly around: (send: Send) => Send;
  /** Marks a response as the same for everyone until access changes. */
  readonly allow: (reply: FastifyReply) => void;
}

/**
 * Caches small responses that are the same for everyone, for a short time: those of apps that show a release. A
 * response that was computed before a change was announced is not cached.
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

/** Response headers that are cached. Headers of a single request, such as its ID, are made for each response. */
const sharedHeaders = [
  'cache-control',
  'content-encoding',
  'content-security-policy',
  'content-type',
  'etag',
  'referrer-policy',
  'vary',
] as const;

/** Everything that the response depends on: the address and the negotiated language and encoding. */
function keyOf({ url, protocol, host, headers }: FastifyRequest): string {
  const [path] = url.split('?');
  const { 'accept-language': language, 'accept-encoding': encoding } = headers;
  return JSON.stringify([path, protocol, host, language, encoding]);
}
