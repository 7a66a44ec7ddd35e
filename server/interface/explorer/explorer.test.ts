import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiEndpoints } from '@platen/contract/api';
import { startService } from '../../testing.ts';

const { app } = await startService();

test('openapi.json describes every endpoint under its name, with schemas of their own', async () => {
  const reply = await app.inject('/apidoc/v1/openapi.json');
  assert.equal(reply.statusCode, 200);
  const document = reply.json<{
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    components: { schemas: Record<string, { type?: string }> };
  }>();
  assert.equal(document.openapi, '3.1.0');
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  assert.deepEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
    Object.keys(apiEndpoints).toSorted(),
  );
  for (const name of [
    'Project',
    'User',
    'Role',
    'Task',
    'Job',
    'DataBucket',
    'Datasource',
    'App',
    'Module',
    'Problem',
  ]) {
    assert.equal(document.components.schemas[name]?.type, 'object', name);
  }
  const references = reply.body.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  for (const [, name] of references) assert.ok(document.components.schemas[name!], `${name} is defined`);
});

test('the explorer is served with everything it needs from here alone', async () => {
  const page = await app.inject('/apidoc/v1/');
  assert.equal(page.statusCode, 200);
  assert.doesNotMatch(page.body, /https?:\/\//);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /script-src 'self';/);
  assert.doesNotMatch(policy, /https?:\/\//);
  const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(sources.length >= 3);
  for (const source of sources) {
    const url = new URL(source, 'http://localhost/apidoc/v1/').pathname;
    assert.equal((await app.inject(url)).statusCode, 200, url);
  }
  const start = await app.inject('/apidoc/v1/static/swagger-initializer.js');
  assert.match(start.body, /\/apidoc\/v1\/openapi\.json/);
});
