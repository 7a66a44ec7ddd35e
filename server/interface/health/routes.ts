import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { watchSchema } from './watch-schema.ts';

const timeoutMs = 3000;

/** `/livez`: the process answers. `/readyz`: requests are served, or what is missing for it. */
export function registerHealth(app: FastifyInstance, context: Context): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/livez', async () => ({ status: 'ok' }));
  const compareSchema = watchSchema(context);
  const checkAll = () =>
    Promise.all([
      check(() => sql`select 1 from migration limit 1`.execute(context.db)),
      check(compareSchema),
      check(() => context.store.head('0'.repeat(26))),
    ]);
  let checking: ReturnType<typeof checkAll> | undefined;
  app.get('/readyz', async (_request, reply) => {
    // shared by all requests of a moment, as anybody may make any number of them
    checking ??= checkAll().finally(() => (checking = undefined));
    const [database, schema, storage] = await checking;
    const service = isClosing ? 'closing' : 'ok';
    const isReady = [database, schema, storage, service].every((state) => state === 'ok');
    void reply.code(isReady ? 200 : 503).header('cache-control', 'no-store');
    return { status: isReady ? 'ok' : 'unavailable', checks: { service, database, schema, storage } };
  });
}

/** The text that the probe reports, or `ok`; `unavailable` if it fails or takes too long. */
async function check(probe: () => Promise<unknown>): Promise<string> {
  const outcome = probe().then(
    (state) => (typeof state === 'string' ? state : 'ok'),
    () => 'unavailable',
  );
  const waiting = new AbortController();
  const late = sleep(timeoutMs, 'unavailable', { ref: false, signal: waiting.signal }).catch(
    () => 'unavailable',
  );
  return Promise.race([outcome, late]).finally(() => waiting.abort());
}
