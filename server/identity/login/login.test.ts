import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { superUser, untilSomeoneWaits } from '../../base/database/testing.ts';
import { defaultSettings } from '../../base/config.ts';
import { startService } from '../../testing.ts';
import { changePassword } from '../users/change-password.ts';

const password = 'a long enough password';

test('login answers with the user, a token and the moment it stops working', async () => {
  const { as, admin, adminId } = await startService();
  const result = await as().postLogin({ body: { username: 'ADMIN', password: 'correct horse battery' } });
  assert.deepEqual(Object.keys(result).toSorted(), ['_id', 'token', 'tokenExpires']);
  assert.equal(result._id, adminId);
  assert.ok(Date.parse(result.tokenExpires) > Date.now());
  assert.equal((await as(result.token).getUserWhoami())._id, adminId);
  assert.equal((await admin.getUserWhoami()).isSuperUser, true);
});

test('login takes form bodies, a trailing slash, and a password that is already hashed', async () => {
  const { app } = await startService();
  const secret = 'correct horse battery';
  const form = await app.inject({
    method: 'POST',
    url: '/api/v1/login/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username: 'admin', password: secret }).toString(),
  });
  assert.equal(form.statusCode, 200);
  assert.ok(form.json<{ token: string }>().token);
  const hashed = createHash('sha256').update(secret).digest('hex');
  const body = { username: 'admin', password: hashed, algorithm: 'sha-256' };
  assert.equal((await app.inject({ method: 'POST', url: '/api/v1/login', payload: body })).statusCode, 200);
});

test('logout revokes the token at once, logout-all every token of the user', async () => {
  const { as } = await startService();
  const logIn = async () =>
    (await as().postLogin({ body: { username: 'admin', password: 'correct horse battery' } })).token;
  const [first, second, third] = [await logIn(), await logIn(), await logIn()];
  await as(first).getLogout();
  await assert.rejects(as(first).getUserWhoami(), { status: 401 });
  await as(second).getUserWhoami();
  await as(second).getLogoutAll();
  await assert.rejects(as(third).getUserWhoami(), { status: 401 });
});

test('a token stops working when it expires', async () => {
  let now = new Date('2026-11-20T08:00:00Z');
  const { as } = await startService({ now: () => now });
  const { token, tokenExpires } = await as().postLogin({
    body: { username: 'admin', password: 'correct horse battery' },
  });
  now = new Date(Date.parse(tokenExpires) - 1);
  await as(token).getUserWhoami();
  now = new Date(tokenExpires);
  await assert.rejects(as(token).getUserWhoami(), { status: 401, code: 'unauthenticated' });
});

test('a missing, foreign or malformed token gets 401 with a challenge, before the body is read', async () => {
  const { app } = await startService();
  for (const authorization of ['', 'Bearer nonsense', 'Basic YTpi', 'Bearer', 'Bearer \u00e4']) {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/v1/project',
      headers: { 'content-type': 'application/json', ...(authorization !== '' && { authorization }) },
      payload: '{ broken',
    });
    assert.equal(reply.statusCode, 401, authorization);
    assert.equal(reply.headers['www-authenticate'], 'Bearer');
  }
});

test('changing a password and deactivating a user end all their tokens', async () => {
  const { admin, user, as } = await startService();
  const mia = await user('mia');
  await assert.rejects(mia.client.putUserPassword({ params: { userId: mia.id }, body: { password } }), {
    status: 400,
  });
  const wrong = { password, oldPassword: 'not this one' };
  await assert.rejects(mia.client.putUserPassword({ params: { userId: mia.id }, body: wrong }), {
    status: 403,
  });
  const right = { password, oldPassword: 'password of mia' };
  await mia.client.putUserPassword({ params: { userId: mia.id }, body: right });
  await assert.rejects(mia.client.getUserWhoami(), { status: 401 });
  const { token } = await as().postLogin({ body: { username: 'mia', password } });
  await admin.putUserPassword({ params: { userId: mia.id }, body: { password: 'set by the admin' } });
  await assert.rejects(as(token).getUserWhoami(), { status: 401 });
  const { token: next } = await as().postLogin({ body: { username: 'mia', password: 'set by the admin' } });
  await admin.putUserActive({ params: { userId: mia.id }, body: { isActive: false } });
  await assert.rejects(as(next).getUserWhoami(), { status: 401 });
  await assert.rejects(as().postLogin({ body: { username: 'mia', password: 'set by the admin' } }), {
    status: 401,
  });
});

test('ten failures lock an account for a quarter of an hour, also for those who know the password', async () => {
  let now = new Date('2026-11-20T08:00:00Z');
  const { as, user } = await startService({ now: () => now });
  await user('mia');
  const attempt = (secret: string) => as().postLogin({ body: { username: 'mia', password: secret } });
  for (let i = 0; i < 10; i++) await assert.rejects(attempt('wrong'), { status: 401 });
  await assert.rejects(attempt('password of mia'), { status: 429, code: 'too_many_requests' });
  await as().postLogin({ body: { username: 'admin', password: 'correct horse battery' } });
  now = new Date('2026-11-20T08:15:01Z');
  await attempt('password of mia');
});

test('simultaneous failures do not evade the throttle', async () => {
  const { as, user } = await startService();
  await user('mia');
  const attempts = Array.from({ length: 40 }, () =>
    as().postLogin({ body: { username: 'mia', password: 'wrong' } }),
  );
  const outcomes = await Promise.allSettled(attempts);
  const statuses = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.status : 200));
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 30);
});

test('tokens and passwords are not stored in plain text', async () => {
  const { passwordCost } = defaultSettings;
  const { context, adminToken } = await startService({ settings: { passwordCost } });
  const { rows } = await sql<{ text: string }>`
    select t::text as text from token t union all select u::text from user_account u`.execute(context.db);
  const all = rows.map((row) => row.text).join('\n');
  assert.ok(!all.includes(adminToken) && !all.includes('correct horse battery'));
  assert.match(all, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a session cookie signs a browser in, and changes need our own Origin', async () => {
  const { app } = await startService();
  const origin = 'http://localhost:80';
  const inject = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    headers: Record<string, string>,
    payload?: object,
  ) =>
    app.inject({ method, url, headers: { host: 'localhost:80', ...headers }, ...(payload && { payload }) });
  const credentials = { username: 'admin', password: 'correct horse battery' };
  const foreign = await inject('POST', '/api/v1/session', { origin: 'https://evil.example' }, credentials);
  assert.equal(foreign.statusCode, 403);
  const signedIn = await inject('POST', '/api/v1/session', { origin }, credentials);
  assert.equal(signedIn.statusCode, 201);
  assert.ok(!signedIn.body.includes('token'));
  const header = [signedIn.headers['set-cookie'] ?? []].flat()[0]!;
  assert.match(header, /^platen-session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  const cookie = header.split(';')[0]!;
  assert.equal((await inject('GET', '/api/v1/session', { cookie })).statusCode, 200);
  const project = { name: 'P', description: '', bbox: [0, 0, 1, 1] };
  assert.equal((await inject('POST', '/api/v1/project', { cookie }, project)).statusCode, 403);
  assert.equal(
    (await inject('POST', '/api/v1/project', { cookie, origin: 'https://evil.example' }, project)).statusCode,
    403,
  );
  assert.equal((await inject('POST', '/api/v1/project', { cookie, origin }, project)).statusCode, 201);
  assert.equal((await inject('DELETE', '/api/v1/session', { cookie, origin })).statusCode, 204);
  assert.equal((await inject('GET', '/api/v1/session', { cookie })).statusCode, 401);
});

test('behind https the cookie is a __Host- cookie', async () => {
  const { app } = await startService({ settings: { baseUrl: 'https://maps.example' } });
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v1/session',
    headers: { origin: 'https://maps.example' },
    payload: { username: 'admin', password: 'correct horse battery' },
  });
  const [session = '', device = ''] = [reply.headers['set-cookie'] ?? []].flat();
  assert.match(session, /^__Host-platen-session=.*; Secure$/);
  assert.match(device, /^__Secure-platen-device=.*; Secure$/);
});

test('a login that is under way while the password changes gets no token for the old one', async () => {
  const { as, context, adminId, user } = await startService();
  const { id: userId } = await user('ann');
  const caller = superUser(adminId);
  const outcome = await context.db.transaction().execute(async (tx) => {
    await sql`lock table token in exclusive mode`.execute(tx);
    const login = as().postLogin({ body: { username: 'ann', password: 'password of ann' } });
    const settled = login.then(
      () => 'signed in',
      (error: { status: number }) => error.status,
    );
    await untilSomeoneWaits(tx);
    await changePassword({ ...context, db: tx }, caller, { userId, body: { password: 'another one' } });
    return { settled };
  });
  assert.equal(await outcome.settled, 401);
  const { rows } = await sql`select 1 from token where user_id = ${userId}`.execute(context.db);
  assert.equal(rows.length, 0);
});

test('a link or a page of another host cannot sign a user out', async () => {
  const { app } = await startService();
  const credentials = { username: 'admin', password: 'correct horse battery' };
  const signedIn = await app.inject({ method: 'POST', url: '/api/v1/session', payload: credentials });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
  const visit = (url: string, site: string) =>
    app.inject({ url, headers: { cookie, 'sec-fetch-site': site } }).then((reply) => reply.statusCode);
  assert.equal(await visit('/api/v1/logout', 'cross-site'), 401);
  assert.equal(await visit('/api/v1/logout-all', 'cross-site'), 401);
  for (const site of ['same-site', 'none', ''])
    for (const path of ['logout', 'logout-all']) assert.equal(await visit(`/api/v1/${path}`, site), 403);
  assert.equal(await visit('/api/v1/session', 'same-origin'), 200);
  assert.equal(await visit('/api/v1/logout', 'same-origin'), 201);
  assert.equal(await visit('/api/v1/session', 'same-origin'), 401);
});
