import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createApp } from '../../app.ts';
import { startService } from '../../testing.ts';
import { measureRequests } from './metrics.ts';

test('requests are counted by route, never by address, on a port of their own', async (t) => {
  const { context } = await startService();
  const app = await createApp(context);
  const metrics = measureRequests(app, context);
  t.after(() => app.close());
  await app.inject({ url: '/api/v1/project/abc', headers: { authorization: 'Bearer some-secret' } });
  const server = await metrics.listen('127.0.0.1', 0);
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  assert.match(
    text,
    /platen_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/project\/:projectId",status="401"\} 1/,
  );
  assert.match(text, /# TYPE platen_jobs gauge/);
  assert.match(text, /platen_parser_queue_length 0/);
  assert.match(text, /platen_parser_stopped_total\{reason="time"\} \d/);
  assert.match(text, /platen_parser_refused_total \d/);
  assert.ok(!text.includes('abc') && !text.includes('some-secret'));
});
