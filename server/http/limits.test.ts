import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiEndpoints } from '@platen/contract/api';
import { describeApi } from '@platen/contract/describe';
import { describeParameters } from '../jobs/types/describe-parameters.ts';
import { maxBodyBytes } from '@platen/contract/endpoint';
import { projectWithCities } from '../jobs/tasks/testing.ts';
import { startService } from '../testing.ts';

const service = await startService();
const { app, admin, adminId, adminToken } = service;
const authorization = `Bearer ${adminToken}`;
const { projectId } = await projectWithCities(service);

interface Description {
  paths: Record<string, Record<string, { requestBody?: { description?: string }; responses: object }>>;
}

async function send(method: 'POST' | 'PUT', path: string, payload: string) {
  const headers = { authorization, 'content-type': 'application/json' };
  const reply = await app.inject({ method, url: `/api/v1${path}`, headers, payload });
  return [reply.statusCode, String(reply.json<{ detail?: string }>().detail)] as const;
}

test('a path beyond 2 KiB or with an empty segment is refused before anybody is asked who they are', async () => {
  const slashes = '/'.repeat(15_000);
  const cases: [url: string, status: number][] = [
    [`/data/x/${slashes}x`, 400],
    [`/data/t/x/x/${slashes}x`, 400],
    [`/api/v1/project/${'x'.repeat(2048)}`, 400],
    ['/api/v1//projects', 404],
    ['/data/x//tile', 404],
    ['/share//x', 404],
    [`/data/x/${'%C3%A4'.repeat(1020)}`, 404],
    ['/data/x/tile?url=https://example.org//a', 404],
    [`/api/v1/projects?name=${'x'.repeat(5000)}`, 401],
    ['http://example.org/api/v1/projects', 401],
    ['http://example.org//api/v1/projects', 404],
  ];
  for (const [url, status] of cases) {
    const reply = await app.inject({ url });
    assert.equal(reply.statusCode, status, url.slice(0, 60));
    assert.match(String(reply.headers['content-type']), /^application\/problem\+json/);
    // pages of other hosts read why their map has no data
    const origin = url.startsWith('/data/') ? '*' : undefined;
    assert.equal(reply.headers['access-control-allow-origin'], origin, url.slice(0, 60));
  }
});

test('every endpoint that takes JSON has a limit, and describes it', async () => {
  const limits = Object.values(apiEndpoints).flatMap((endpoint) => maxBodyBytes(endpoint) ?? []);
  assert.ok(limits.length > 40);
  const { paths } = describeApi('limits', { parameters: describeParameters() }) as unknown as Description;
  const { requestBody, responses } = paths['/api/v1/project/{projectId}/module']!['post']!;
  assert.equal(requestBody?.description, 'At most 4 MiB.');
  assert.ok('413' in responses);
});

test('a body above the limit of its endpoint is refused with that limit', async () => {
  const cases = [
    ['PUT', `/user/${adminId}`, 64],
    ['POST', `/project/${projectId}/datasource-probe`, 64],
    ['PUT', `/project/${projectId}`, 2048],
    ['POST', `/project/${projectId}/module`, 4096],
  ] as const;
  for (const [method, path, kilobytes] of cases) {
    const large = `{"name":"${'x'.repeat(kilobytes * 1024)}"}`;
    assert.deepEqual(await send(method, path, large), [
      413,
      `The body is too large. The limit is ${kilobytes} KiB.`,
    ]);
  }
});

test('a body of too many values, keys or levels is refused before it is parsed', async () => {
  const modules = `/project/${projectId}/module`;
  const cases: [payload: string, status: number, detail: RegExp][] = [
    [`[${'{},'.repeat(1_300_000)}{}]`, 413, /too many values. The limit is 200,000/],
    ['['.repeat(4_000_000), 400, /deeper than 64 levels/],
    [`{${Array.from({ length: 30_000 }, (_, i) => `"k${i}":1`).join()}}`, 413, /too many different keys/],
    [`[${'{"a":1,"b":2,"c":3,"d":4},'.repeat(25_001)}{}]`, 413, /too many keys. The limit is 100,000/],
    // what stands in texts does not count
    [`{"name":"a","description":"${'[,:\\"'.repeat(100_000)}"}`, 400, /\/description/],
  ];
  for (const [payload, status, detail] of cases) {
    const [got, text] = await send('POST', modules, payload);
    assert.equal(got, status, text);
    assert.match(text, detail);
  }
});

test('a map configuration of 1 MiB with many values is kept', async () => {
  const values = Array.from({ length: 10_000 }, (_, i) => [i / 7, i / 3]);
  const own = { values, filler: 'x'.repeat(500_000) };
  const module = await admin.postProjectModule({ params: { projectId }, body: { name: 'm', own } as never });
  assert.deepEqual((module as { own?: unknown }).own, own);
});
