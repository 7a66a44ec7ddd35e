import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';

const timeoutMs = 3000;

/** `/livez`: the process answers. `/readyz`: requests are served, or what is missing for it. */
export function registerHealth(app: FastifyInstance, context: Context): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const [database, storage] = await Promise.all([
      check(() => sql`select 1 from migration limit 1`.execute(context.db)),
      check(() => context.store.head('0'.repeat(26))),
    ]);
    const service = isClosing ? 'closing' : 'ok';
    const isReady = [database, storage, service].every((state) => state === 'ok');
    void reply.code(isReady ? 200 : 503).header('cache-control', 'no-store');
    return { status: isReady ? 'ok' : 'unavailable', checks: { service, database, storage } };
  });
}

async function check(probe: () => Promise<unknown>): Promise<'ok' | 'unavailable'> {
  const outcome = probe().then(
    () => 'ok' as const,
    () => 'unavailable' as const,
  );
  return Promise.race([outcome, sleep(timeoutMs, 'unavailable' as const, { ref: false })]);
}
