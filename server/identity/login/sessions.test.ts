import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { passwordOf, startService } from '../../testing.ts';

const minuteMs = 60_000;
const start = new Date('2026-11-20T08:00:00Z');
let now = start;
const service = await startService({ now: () => now });
const { app, as, context, user } = service;

/** A browser with a session. */
async function signIn(username: string, userAgent = 'Firefox') {
  const payload = { username, password: passwordOf(username) };
  const headers = { 'user-agent': userAgent };
  const reply = await app.inject({ method: 'POST', url: '/api/v1/session', payload, headers });
  const cookie = [reply.headers['set-cookie'] ?? []].flat()[0]!.split(';')[0]!;
  return {
    get: async () => (await app.inject({ url: '/api/v1/user/whoami', headers: { cookie } })).statusCode,
    secret: cookie.split('=')[1]!,
  };
}

test('a session ends when it is idle, and at its absolute end however much it is used', async () => {
  await user('ida');
  const [idle, busy] = [await signIn('ida'), await signIn('ida')];
  for (let minutes = 0; minutes < 118; minutes += 59) {
    now = new Date(now.getTime() + 59 * minuteMs);
    assert.equal(await busy.get(), 200);
  }
  now = new Date(now.getTime() + 3 * minuteMs);
  assert.deepEqual([await idle.get(), await busy.get()], [401, 200]);
  const begin = now.getTime() - 121 * minuteMs;
  for (; now.getTime() - begin < 12 * 60 * minuteMs; now = new Date(now.getTime() + 60 * minuteMs))
    assert.equal(await busy.get(), 200);
  assert.equal(await busy.get(), 401);
});

test('a token for scripts works until its end, also if it is not used', async () => {
  const { client } = await user('tom');
  now = new Date(now.getTime() + 23 * 60 * minuteMs);
  await client.getUserWhoami();
  now = start;
});

test('users see where they are signed in, and end logins one by one or all others', async () => {
  const { client } = await user('sol');
  const [one, two, three] = [await signIn('sol', 'Chrome'), await signIn('sol'), await signIn('sol')];
  const own = as(one.secret);
  const { items } = await own.getUserSessions();
  assert.equal(items.length, 4);
  const current = items.filter(({ isCurrent }) => isCurrent);
  assert.deepEqual(
    current.map(({ kind, userAgent, address }) => ({ kind, userAgent, address })),
    [{ kind: 'session', userAgent: 'Chrome', address: '127.0.0.1' }],
  );
  assert.ok(items.every((item) => !JSON.stringify(item).includes(one.secret)));
  const other = (await as(two.secret).getUserSessions()).items.find(({ isCurrent }) => isCurrent)!;
  await own.deleteUserSession({ params: { sessionId: other._id } });
  assert.deepEqual([await one.get(), await two.get(), await three.get()], [200, 401, 200]);
  assert.deepEqual(await own.deleteUserSessions(), { numberOfDeletedItems: 2 });
  assert.deepEqual([await one.get(), await three.get()], [200, 401]);
  await assert.rejects(client.getUserWhoami(), { status: 401 });
});

test('ending logins is recorded in the audit log, however it is done, and counted when it is repeated', async () => {
  const { repeatedAudit } = service.context;
  const { id, client } = await user('sam');
  await signIn('sam');
  await client.deleteUserSessions();
  const { secret } = await signIn('sam');
  await client.getLogoutAll();
  await assert.rejects(as(secret).getUserWhoami(), { status: 401 });
  await repeatedAudit.flush(now);
  const { items } = await service.admin.getAudit({ query: { action: ['login.end'], targetId: [id] } });
  const details = items.map(({ detail }) => detail);
  assert.equal(details.length, 2);
  assert.deepEqual(
    details.find((detail) => !('repeated' in detail)),
    { count: 1 },
  );
  const [repeated] = details.flatMap((detail) => (detail['repeated'] as { count: number } | undefined) ?? []);
  assert.equal(repeated?.count, 1);
});

test('nobody sees or ends the sessions of others', async () => {
  const [ulf, uma] = [await user('ulf'), await user('uma')];
  const [session] = (await uma.client.getUserSessions()).items;
  const ended = ulf.client.deleteUserSession({ params: { sessionId: session!._id } });
  await assert.rejects(ended, { status: 404 });
  assert.ok((await ulf.client.getUserSessions()).items.every(({ _id }) => _id !== session!._id));
  await uma.client.getUserWhoami();
});

test('a user is signed in a thousand times at most: a new login ends the one that was used least recently', async () => {
  const { id, client, token } = await user('tess');
  await sql`insert into token (hash, id, user_id, kind, created_at, last_seen_at, expires_at, ends_at, address, user_agent)
    select sha256(n::text::bytea), 'many ' || n, ${id}, 'bearer', ${now}::timestamptz, ${now}::timestamptz - n * interval '1 minute',
      ${now}::timestamptz + interval '1 day', ${now}::timestamptz + interval '1 day', '', ''
    from generate_series(1, 999) n`.execute(context.db);
  const count = async () => (await client.getUserSessions({ query: { limit: 1 } })).totalCount;
  const lastIds = async () =>
    (await client.getUserSessions({ query: { limit: 2, orderBy: ['lastSeenAt'], sort: 'asc' } })).items.map(
      ({ _id }) => _id,
    );
  assert.deepEqual([await count(), await lastIds()], [1000, ['many 999', 'many 998']]);
  await signIn('tess');
  assert.deepEqual([await count(), await lastIds()], [1000, ['many 998', 'many 997']]);
  await as(token).getUserWhoami();
});
