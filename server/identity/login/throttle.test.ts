import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Failure } from '../../base/failure.ts';
import { passwordOf, startReplica, startService } from '../../testing.ts';
import { knownAttempt, shareLinkAttempt, tryPassword } from './throttle.ts';

let now = new Date('2026-11-20T08:00:00Z');
const { app, context, user } = await startService({ now: () => now, settings: { maxLoginDelayMs: 1 } });

interface Try {
  readonly username: string;
  readonly password?: string;
  readonly from?: string;
  readonly cookie?: string | undefined;
  readonly at?: typeof app;
}

async function signIn({ username, password = 'wrong', from = '192.0.2.1', cookie, at = app }: Try) {
  return at.inject({
    method: 'POST',
    url: '/api/v1/session',
    remoteAddress: from,
    headers: cookie === undefined ? {} : { cookie },
    payload: { username, password },
  });
}

const statusOf = async (one: Try) => (await signIn(one)).statusCode;

async function fail(times: number, one: Try): Promise<void> {
  for (let i = 0; i < times; i++) assert.equal(await statusOf(one), 401);
}

/** The cookie of a browser in which the user has signed in. */
async function deviceOf(username: string): Promise<string> {
  const reply = await signIn({ username, password: passwordOf(username), from: '203.0.113.9' });
  const cookies = [reply.headers['set-cookie'] ?? []].flat();
  return cookies.find((cookie) => cookie.startsWith('platen-device='))!.split(';')[0]!;
}

test('all spellings of a name count for one account', async () => {
  await user('victim');
  const names = ['victim', 'VICTIM', 'Victim', 'vicTİm', 'vİctİm'];
  // what is the same name is for the locale of the database to say
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) name where lower(name) = 'victim'`.execute(context.db);
  const spellings = rows.map(({ name }) => name);
  assert.ok(spellings.length >= 3);
  for (let i = 0; i < 10; i++) await fail(1, { username: spellings[i % spellings.length]! });
  for (const username of spellings)
    assert.equal(await statusOf({ username, password: passwordOf('victim') }), 429, username);
});

test('failures of strangers do not lock out the user, wherever they come from', async () => {
  await user('mona');
  await fail(10, { username: 'mona', from: '198.51.100.1' });
  assert.equal(await statusOf({ username: 'mona', from: '198.51.100.1', password: passwordOf('mona') }), 429);
  for (let i = 2; i < 60; i++) await fail(1, { username: 'mona', from: `198.51.100.${i}` });
  assert.equal(await statusOf({ username: 'mona', from: '203.0.113.1', password: passwordOf('mona') }), 201);
});

test('failures at many accounts do not lock out others with the same address', async () => {
  await user('noor');
  for (let i = 0; i < 120; i++) await fail(1, { username: `name ${i}`, from: '198.51.100.200' });
  assert.equal(
    await statusOf({ username: 'noor', from: '198.51.100.200', password: passwordOf('noor') }),
    201,
  );
});

test('an IPv6 address counts for its /64, and an IPv4-mapped one as IPv4', async () => {
  await user('ines');
  for (let i = 1; i <= 10; i++) await fail(1, { username: 'ines', from: `2001:db8:7:7::${i.toString(16)}` });
  assert.equal(await statusOf({ username: 'ines', from: '2001:db8:7:7:ffff::1' }), 429);
  assert.equal(await statusOf({ username: 'ines', from: '2001:db8:7:8::1' }), 401);
  await fail(10, { username: 'ines', from: '198.51.100.77' });
  assert.equal(await statusOf({ username: 'ines', from: '::ffff:198.51.100.77' }), 429);
});

test('a browser in which the user has signed in before gets in while its network is refused', async () => {
  await user('dora');
  await user('dirk');
  const cookie = await deviceOf('dora');
  await fail(10, { username: 'dora' });
  assert.equal(await statusOf({ username: 'dora', password: passwordOf('dora') }), 429);
  assert.equal(await statusOf({ username: 'dora', password: passwordOf('dora'), cookie }), 201);
  await fail(10, { username: 'dirk' });
  const foreign = { username: 'dirk', password: passwordOf('dirk'), cookie };
  assert.equal(await statusOf(foreign), 429, 'the cookie is bound to its account');
  const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const own = { username: 'dora', password: passwordOf('dora') };
  assert.equal(await statusOf({ ...own, cookie: forged.replace(/\.[\w-]+$/, '.AAAA') }), 429);
});

test('a known browser is limited too, stays known to several accounts, and not for ever', async () => {
  await user('kaya');
  await user('kirk');
  const kaya = await deviceOf('kaya');
  const reply = await signIn({ username: 'kirk', password: passwordOf('kirk'), cookie: kaya });
  const [, device = ''] = [reply.headers['set-cookie'] ?? []].flat();
  assert.match(
    device,
    /^platen-device=[\w.~-]+; Path=\/api\/v1\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
  );
  const both = device.split(';')[0]!;
  await fail(10, { username: 'kaya', from: '198.51.100.31' });
  await fail(10, { username: 'kirk', from: '198.51.100.31' });
  for (const username of ['kaya', 'kirk']) {
    const own = { username, from: '198.51.100.31', password: passwordOf(username) };
    assert.equal(await statusOf({ ...own, cookie: both }), 201);
    await fail(10, { username, cookie: both });
    assert.equal(await statusOf({ ...own, from: '203.0.113.31', cookie: both }), 429);
  }
  const before = now;
  now = new Date(now.getTime() + 366 * 86_400_000);
  await fail(10, { username: 'kaya', from: '198.51.100.31' });
  const late = { username: 'kaya', from: '198.51.100.31', password: passwordOf('kaya'), cookie: both };
  assert.equal(await statusOf(late), 429);
  now = before;
});

test('strangers do not keep a user from changing the password, whose failures are limited apart', async () => {
  const { id: userId, client } = await user('pia');
  await fail(10, { username: 'pia', from: '127.0.0.1' });
  const change = (oldPassword: string) =>
    client.putUserPassword({ params: { userId }, body: { password: 'tomatoes grow slowly', oldPassword } });
  for (let i = 0; i < 9; i++) await assert.rejects(change('wrong'), { status: 403 });
  await change(passwordOf('pia'));
});

test('names that do not exist are answered like those that do, and stored in bounded length', async () => {
  await user('vera');
  const answersFor = async (username: string) => {
    const replies = [];
    for (let i = 0; i < 12; i++) replies.push(await signIn({ username, from: '198.51.100.55' }));
    return replies.map(({ statusCode, json }) => [statusCode, json<{ detail: string }>().detail]);
  };
  assert.deepEqual(await answersFor('x'.repeat(255)), await answersFor('vera'));
  const { rows } = await sql<{ length: number }>`
    select max(length(key)) as length from login_failure`.execute(context.db);
  assert.ok(rows[0]!.length < 150);
});

test('replicas count together', async () => {
  await user('rosa');
  const replica = await startReplica(context);
  await fail(5, { username: 'rosa', from: '198.51.100.90' });
  await fail(5, { username: 'rosa', from: '198.51.100.90', at: replica });
  for (const at of [app, replica])
    assert.equal(await statusOf({ username: 'rosa', from: '198.51.100.90', at }), 429);
});

test('attempts whose password could not be checked do not count', async () => {
  for (const attempt of [knownAttempt('device x', now), shareLinkAttempt('link', '192.0.2.200', now)]) {
    const busy = () => Promise.reject(new Failure('unavailable', 'Too many passwords are being checked.'));
    for (let i = 0; i < 12; i++)
      await assert.rejects(tryPassword(context, attempt, busy), { code: 'unavailable' });
    for (let i = 0; i < 10; i++)
      assert.equal(await tryPassword(context, attempt, () => Promise.resolve(false)), false);
    await assert.rejects(
      tryPassword(context, attempt, () => Promise.resolve(true)),
      { code: 'too_many_requests' },
    );
  }
});
