import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { defaultSettings, type Settings } from '../base/config.ts';
import { startService } from '../testing.ts';
import { strictTransport } from './strict-transport.ts';

const { app } = await startService({
  settings: {
    baseUrl: 'https://platen.example.org',
    publicUrl: 'https://maps.example.org:8443',
    allowedHosts: ['platen', '[2001:db8::5]'],
  },
});

const statusAt = async (host: string, url = '/api/v1/session') =>
  (await app.inject({ url, headers: { host } })).statusCode;

test('only the own hosts, loopback and allowed ones are answered once the base URL is known', async () => {
  const own = ['platen.example.org', 'PLATEN.example.org:443', 'maps.example.org', 'maps.example.org.:8443'];
  const internal = ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'platen:8080', '[2001:db8::5]:80'];
  for (const host of [...own, ...internal]) assert.equal(await statusAt(host), 401, host);
  const others = ['evil.example', 'evil.example.org', 'platen.example.org.evil.example', '10.0.0.5:8080'];
  const alike = ['127.0.0.1.evil.example', 'localhost.evil.example', '[::2]', '[', ':80'];
  for (const host of [...others, ...alike]) {
    assert.equal(await statusAt(host), 421, host);
    assert.equal(await statusAt(host, '/data/x/tile'), 421, host);
    assert.equal(await statusAt(host, '/'), 421, host);
  }
  const reply = await app.inject({ url: '/api/v1/session', headers: { host: 'evil.example' } });
  assert.deepEqual(reply.json<{ code: string }>().code, 'misdirected');
  assert.match(reply.json<{ detail: string }>().detail, /“evil.example”.*PLATEN_ALLOWED_HOSTS/);
});

test('probes may use any address', async () => {
  for (const path of ['/livez', '/readyz']) assert.equal(await statusAt('10.0.0.5:8080', path), 200);
});

test('a service without a base URL answers any host', async () => {
  const { app: open } = await startService({ settings: { publicUrl: 'https://maps.example.org' } });
  const reply = await open.inject({ url: '/api/v1/session', headers: { host: '10.0.0.5' } });
  assert.equal(reply.statusCode, 401);
});

test('the host that a trusted proxy forwards counts', async () => {
  const { app: behind } = await startService({
    settings: { baseUrl: 'https://platen.example.org', trustProxy: ['127.0.0.1'] },
  });
  const statusOf = async (host: string, forwarded: string) => {
    const headers = { host, 'x-forwarded-host': forwarded };
    return (await behind.inject({ url: '/api/v1/session', headers })).statusCode;
  };
  assert.equal(await statusOf('upstream', 'platen.example.org'), 401);
  assert.equal(await statusOf('platen.example.org', 'evil.example'), 421);
});

test('two Host headers are refused, on every path', async () => {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  for (const path of ['/livez', '/data/x/tile', '/']) {
    const reply = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n`);
    assert.match(reply, /^HTTP\/1\.1 400 [^]*several Host headers/);
  }
  assert.match(await exchange(port, 'GET /livez HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /);
});

test('browsers stay at https once all addresses of the service are https', async () => {
  assert.equal((await app.inject({ url: '/' })).headers['strict-transport-security'], 'max-age=63072000');
  const headerFor = (baseUrl: string | undefined, settings: Partial<Settings> = {}) =>
    strictTransport({ ...defaultSettings, baseUrl, ...settings });
  const baseUrl = 'https://platen.example.org';
  assert.equal(
    headerFor(baseUrl, { strictTransportFor: 'subdomains' }),
    'max-age=63072000; includeSubDomains',
  );
  assert.equal(headerFor(baseUrl, { strictTransportFor: 'none' }), undefined);
  assert.equal(headerFor(baseUrl, { publicUrl: 'http://maps.example.org' }), undefined);
  assert.equal(headerFor(undefined), undefined);
});

/** Everything that the service sends until the first response is complete. */
function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(text));
  });
}
