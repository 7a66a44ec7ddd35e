import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { projectWithCities } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { removeOldEvents } from './remove-old.ts';
import { findEvents, moveAll } from './store.ts';
import { hear, listening, openReply } from './testing.ts';

const service = await startService();
const { admin, adminToken, context } = service;
const { url, as } = await listening(service);
const { projectId } = await projectWithCities(service);
const params = { projectId };
const tomorrow = { ...context, now: () => new Date(Date.now() + 25 * 3_600_000) };

interface ReceivedEvent {
  readonly event: string;
  readonly id: string;
}

const make = (name: string) => admin.postProjectModule({ params, body: { name } });
const follow = (lastEventId: string) =>
  hear<ReceivedEvent>((signal) =>
    as(adminToken).getProjectEvents({ params, signal, query: { lastEventId } }),
  );

/** The id of the newest event. */
async function ready(): Promise<string> {
  const heard = follow('');
  await heard.until((events) => events.length > 0, 'it begins');
  heard.stop();
  return heard.events[0]!.id;
}

async function firstAfter(id: string): Promise<string> {
  const heard = follow(id);
  await heard.until((events) => events.length > 0, 'something is told');
  heard.stop();
  return heard.events[0]!.event;
}

async function countRows(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from project_change) + (select count(*) from project_event) as count`.execute(
    context.db,
  );
  return rows[0]!.count;
}

test('an id from before removed events requires reading everything again, a later one does not', async () => {
  const old = await ready();
  await make('1');
  assert.equal(await firstAfter(old), 'change');
  assert.equal(await removeOldEvents(context), 0, 'what is young stays');
  assert.ok((await removeOldEvents(tomorrow)) > 0);
  assert.equal(await countRows(), 0);
  assert.equal(await firstAfter(old), 'reset');
  const young = await ready();
  await make('2');
  assert.equal(await firstAfter(young), 'change');
});

test('the same applies if events were removed before anyone read them', async () => {
  const old = await ready();
  await make('3');
  assert.ok((await removeOldEvents(tomorrow)) > 0);
  assert.equal(await firstAfter(old), 'reset');
});

test('the number of kept events is limited to the newest', async () => {
  for (const move of [moveAll, async () => {}]) {
    await removeOldEvents(tomorrow);
    const old = await ready();
    await sql`insert into project_change (project_id, type, action, resource_id)
      select ${projectId}, 'module', 'changed', n from generate_series(1, 30000) n`.execute(context.db);
    await move(context.db);
    await removeOldEvents(context, { maxRows: 1000 });
    assert.equal(await countRows(), 1000);
    assert.equal(await firstAfter(old), 'reset');
    await moveAll(context.db);
    const { rows } = await sql<{ last: string }>`
      select resource_id as last from project_event order by position desc limit 1`.execute(context.db);
    assert.equal(rows[0]!.last, '30000');
  }
});

test('a client that is still reading when events are removed is notified as well', async () => {
  const after = Number(await ready());
  await make('4');
  await moveAll(context.db);
  await removeOldEvents(tomorrow);
  const page = await findEvents(context.db, { projectId, after, limit: 10 });
  assert.equal(page.isTooOld, true);
});

test('an id of another service starts over, and an invalid id is refused', async () => {
  assert.equal(await firstAfter('999999999'), 'reset');
  for (const id of ['x', '-1', '1.5', '9'.repeat(20), '1;drop'])
    assert.equal(
      (
        await fetch(`${url}/api/v1/project/${projectId}/events?lastEventId=${encodeURIComponent(id)}`, {
          headers: { authorization: `Bearer ${adminToken}` },
        })
      ).status,
      400,
      id,
    );
});

test('a client without events for a long time still receives newer ids', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const reply = await openReply(`${url}/api/v1/project/${projectId}/events`, {
    authorization: `Bearer ${adminToken}`,
  });
  let text = '';
  reply.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const until = async (pattern: RegExp) => {
    for (const start = performance.now(); !pattern.test(text); await sleep(10))
      assert.ok(performance.now() - start < 10_000, text);
  };
  await until(/event: ready\n/);
  const first = Number(/\nid: (\d+)\n/.exec(text)![1]);
  const elsewhere = await projectWithCities(service);
  await admin.postProjectModule({ params: { projectId: elsewhere.projectId }, body: { name: 'M' } });
  await sleep(600);
  t.mock.timers.tick(15_000);
  await until(/\n:\n/);
  const newest = () => Math.max(...[...text.matchAll(/^:\nid: (\d+)$/gm)].map(([, id]) => Number(id)));
  for (const start = performance.now(); newest() <= first; await sleep(50)) {
    t.mock.timers.tick(15_000);
    assert.ok(performance.now() - start < 10_000, text);
  }
  assert.equal(text.match(/event: /g)!.length, 1);
  reply.destroy();
});
