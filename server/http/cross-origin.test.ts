import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../testing.ts';

const portal = 'https://portal.city.example';
const { admin, adminToken, app } = await startService({ settings: { baseUrl: 'https://maps.city.example' } });
const authorization = `Bearer ${adminToken}`;
const host = 'maps.city.example';

const send = (
  headers: Record<string, string>,
  request: { url?: string; method?: 'GET' | 'POST' | 'OPTIONS' } = {},
) => app.inject({ url: '/api/v1/projects', method: 'GET', ...request, headers: { host, ...headers } });
const preflight = (origin: string, url?: string) =>
  send(
    { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' },
    { method: 'OPTIONS', ...(url !== undefined && { url }) },
  );
const allowedOf = ({ headers }: { headers: Record<string, unknown> }) =>
  headers['access-control-allow-origin'];
const allow = (apiOrigins: string[]) => admin.putAdminSettings({ body: { apiOrigins } });

test('no other website may call the API by default', async () => {
  const reply = await send({ origin: portal, authorization });
  assert.deepEqual([reply.statusCode, allowedOf(reply)], [200, undefined]);
  const asked = await preflight(portal);
  assert.deepEqual([asked.statusCode, allowedOf(asked)], [405, undefined]);
});

test('pages of the websites that an administrator names call the API with a token', async () => {
  await allow([portal, 'http://localhost:5173']);
  const asked = await preflight(portal, '/api/v1/project/x');
  assert.equal(asked.statusCode, 204);
  assert.equal(allowedOf(asked), portal);
  assert.equal(asked.headers['access-control-allow-methods'], 'DELETE, GET, HEAD, PUT');
  assert.match(String(asked.headers['access-control-allow-headers']), /Authorization, .*If-Match/);
  assert.equal(asked.headers['vary'], 'Origin');
  const reply = await send({ origin: portal, authorization });
  assert.deepEqual([reply.statusCode, allowedOf(reply), reply.headers['vary']], [200, portal, 'Origin']);
  assert.match(String(reply.headers['access-control-expose-headers']), /ETag.*Location/);
  const refused = await send({ origin: portal });
  assert.deepEqual([refused.statusCode, allowedOf(refused)], [401, portal], 'pages can read why');
  const misdirected = await send({ origin: portal, authorization, host: 'other.example' });
  assert.deepEqual(
    [misdirected.statusCode, allowedOf(misdirected)],
    [421, portal],
    'so they can early refusals',
  );
  const tus = await preflight(portal, '/api/v1/project/p/data-bucket/b/tus');
  assert.deepEqual([tus.statusCode, allowedOf(tus)], [204, portal]);
  assert.equal(allowedOf(await preflight('http://localhost:5173')), 'http://localhost:5173');
});

test('pages can read refusals of paths that cannot be routed, or lead nowhere', async () => {
  await allow([portal]);
  for (const [url, status] of [
    ['/api/v1/nothing', 404],
    ['/api/v1/project/%zz', 400],
    [`/api/v1/project/${'x'.repeat(3000)}`, 400],
    ['/api/v1/projects/', 200],
  ] as const) {
    const asked = await preflight(portal, url);
    assert.deepEqual([asked.statusCode, allowedOf(asked)], [204, portal], url);
    assert.match(String(asked.headers['access-control-allow-methods']), /GET/);
    const reply = await send({ origin: portal, authorization }, { url });
    assert.deepEqual([reply.statusCode, allowedOf(reply)], [status, portal], url);
    assert.deepEqual(
      [reply.headers['vary'], reply.headers['x-content-type-options'], typeof reply.headers['x-request-id']],
      ['Origin', 'nosniff', 'string'],
      url,
    );
    const foreign = await send({ origin: 'https://evil.example', authorization }, { url });
    assert.deepEqual([foreign.statusCode, allowedOf(foreign)], [status, undefined], url);
    assert.notEqual((await preflight('https://evil.example', url)).statusCode, 204, url);
  }
});

test('cookies of other websites never count, not even of one that may call the API', async () => {
  await allow([portal]);
  const cookie = `__Host-platen-session=${adminToken}`;
  const site = { 'sec-fetch-site': 'same-site' };
  assert.equal((await send({ cookie })).statusCode, 200, 'the cookie is good');
  const reply = await send({ origin: portal, cookie, ...site });
  assert.equal(reply.statusCode, 401);
  assert.equal(reply.headers['access-control-allow-credentials'], undefined);
  const write = await send({ origin: portal, cookie, ...site }, { url: '/api/v1/project', method: 'POST' });
  assert.equal(write.statusCode, 401);
  const asked = await preflight(portal);
  assert.equal(asked.headers['access-control-allow-credentials'], undefined);
});

test('origins that only look like one that may are refused', async () => {
  await allow([portal]);
  for (const origin of [
    'null',
    '*',
    '',
    'https://portal.city.example.evil.example',
    'https://evilportal.city.example',
    'https://x.portal.city.example',
    'http://portal.city.example',
    'https://portal.city.example:8443',
    'https://portal.city.example/',
    'HTTPS://PORTAL.CITY.EXAMPLE',
    'https://portal.city.example.',
    `${portal}, https://evil.example`,
    `${portal} `.padEnd(40, 'x'),
    'https://portal.city.example@evil.example',
  ]) {
    const reply = await send({ origin, authorization });
    assert.equal(allowedOf(reply), undefined, origin);
    assert.equal(reply.headers['vary'], 'Origin', origin);
    assert.notEqual((await preflight(origin)).statusCode, 204, origin);
  }
});

test('a setting that is no origin, or a pattern of origins, is refused with its place', async () => {
  for (const [origin, detail] of [
    ['*', /Patterns are not possible/],
    ['null', /must be the origin/],
    ['https://*.city.example', /Patterns are not possible/],
    ['portal.city.example', /must be the origin/],
    ['https://portal.city.example/map', /write it: https:\/\/portal\.city\.example$/],
    ['https://Portal.city.example:443', /write it: https:\/\/portal\.city\.example$/],
    ['ftp://portal.city.example', /must be the origin/],
    ['https://user@portal.city.example', /write it: https:\/\/portal\.city\.example$/],
  ] as const)
    await assert.rejects(
      allow([portal, origin]),
      (error: { status: number; errors: { pointer: string; detail: string }[] }) => {
        assert.equal(error.status, 400, origin);
        assert.equal(error.errors[0]!.pointer, '/apiOrigins/1');
        assert.match(error.errors[0]!.detail, detail);
        return true;
      },
    );
});

test('a website that is removed is refused at once', async () => {
  await allow([portal]);
  assert.equal(allowedOf(await send({ origin: portal, authorization })), portal);
  await allow([]);
  assert.equal(allowedOf(await send({ origin: portal, authorization })), undefined);
});
