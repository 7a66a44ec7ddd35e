import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedEngines } from '@platen/viewer/engines';
import { startService } from '../../testing.ts';

const { app, adminToken } = await startService();
const signedIn = { cookie: `platen-session=${adminToken}` };
const visit = (query = '', headers: Record<string, string> = signedIn) =>
  app.inject({ url: `/app-preview/${query}`, headers: { ...headers, accept: 'text/html' } });

test('the page of editors is available to signed-in users only', async () => {
  const forged = { cookie: `platen-session=${'0'.repeat(43)}` };
  const fromAfar = { ...signedIn, 'sec-fetch-site': 'cross-site' };
  for (const headers of [{}, forged, fromAfar]) assert.equal((await visit('', headers)).statusCode, 404);
  const { statusCode, body, headers } = await visit();
  assert.equal(statusCode, 200);
  assert.equal(headers['cache-control'], 'private, no-cache');
  assert.match(body, new RegExp(`<base href="/engines/${installedEngines()[0]!.version}/">`));
  assert.doesNotMatch(body, /platen:config/);
  const [, script] = /<meta name="platen:preview" content="([^"]+)">/.exec(body)!;
  const sent = await app.inject({ url: script! });
  assert.match(String(sent.headers['content-type']), /^text\/javascript/);
  assert.match(sent.body, /export function followParent/);
});

test('only pages of the service itself may frame it, and it reaches the hosts that are named alone', async () => {
  const policyOf = async (query: string) => String((await visit(query)).headers['content-security-policy']);
  const plain = await policyOf('');
  assert.match(plain, /frame-ancestors 'self'$/);
  assert.doesNotMatch(plain, /https?:/);
  const both = await policyOf('?host=https://a.example.org&host=https://*.tiles.example.org:8443');
  assert.match(
    both,
    /connect-src 'self' data: blob: https:\/\/\*\.tiles\.example\.org:8443 https:\/\/a\.example\.org;/,
  );
  assert.match(both, /script-src 'self' 'wasm-unsafe-eval';/);
  for (const host of [
    '*',
    'a.example.org',
    'https://a.example.org;script-src *',
    'https://a.example.org/x',
    'https://*.org',
  ])
    assert.equal((await visit(`?host=${encodeURIComponent(host)}`)).statusCode, 400, host);
  const many = Array.from({ length: 51 }, (_, index) => `host=https://h${index}.example.org`).join('&');
  assert.equal((await visit(`?${many}`)).statusCode, 400);
});

test('the engine is chosen by its version or a range of them, the language by its letters', async () => {
  for (const { version } of installedEngines()) {
    const { body } = await visit(`?engine=${version}&locale=de`);
    assert.match(body, new RegExp(`<base href="/engines/${version}/">`));
    assert.match(body, /<meta name="platen:locale" content="de">/);
  }
  assert.match((await visit('?engine=~6.2')).body, /<base href="\/engines\/6\.2\./);
  for (const engine of ['4.0.0', 'x/../y', '"><b>']) {
    const answer = await visit(`?engine=${encodeURIComponent(engine)}`);
    assert.equal(answer.statusCode, 503, engine);
  }
  assert.equal((await visit('?locale=%22x')).statusCode, 400);
});
