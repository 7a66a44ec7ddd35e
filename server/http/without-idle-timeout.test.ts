import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { sql } from 'kysely';
import { untilSomeoneWaits } from '../base/database/testing.ts';
import { startService } from '../testing.ts';

const { app, admin, adminToken, context } = await startService();

test('a connection stays while its request is worked for, however long nothing moves on it', async () => {
  const baseUrl = await app.listen({ port: 0 });
  app.server.setTimeout(200);
  const client = createClient(apiEndpoints, { baseUrl, token: adminToken });
  const { _id: projectId } = await admin.postProject({
    body: { name: 'P', description: '', bbox: [0, 0, 1, 1] },
  });
  const change = await context.db.transaction().execute(async (tx) => {
    await sql`select from project where id = ${projectId} for update`.execute(tx);
    const waiting = client.putProject({ params: { projectId }, body: { name: 'Q' } });
    waiting.catch(() => {}); // it may fail while we still hold it up
    await untilSomeoneWaits(tx);
    await sleep(600);
    return { waiting };
  });
  assert.equal((await change.waiting).name, 'Q');
});
