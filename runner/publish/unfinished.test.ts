import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { file, run } from './testing.ts';
import { type TestFile } from './testing-service.ts';
import { setUp } from './testing-bundle.ts';

test('a run that fails over one file changes no existing file, and the next run uploads all', async (t) => {
  const { service, publishFolder, all, look, publish, assertAllThere } = await setUp(t);
  for (let n = 0; n < 50; n++) service.files.set(`tiles/${n}.pbf`, file(`tile ${n}`));
  await publish();
  const former = service.files;
  const next = [...former].map(([path, each]): [string, TestFile] => [
    path,
    { ...each, bytes: Buffer.from(`2 ${path}`), version: 'version-2' },
  ]);
  service.files = new Map(next);
  service.beforeFile = (path) => {
    if (path === 'tiles/40.pbf') service.files.set(path, { ...file('short'), version: 'version-2' });
  };
  await run(service, { publishFolder });
  assert.equal(service.heard.end?.body['code'], 'cannotTransfer');
  for (const [path, { bytes }] of former) assert.deepEqual(await look(path), bytes, path);
  assert.deepEqual(await all(), [...former.keys()].toSorted());
  service.files = new Map(next);
  service.beforeFile = () => {};
  await publish();
  await assertAllThere();
});

test('a file with a wrong length fails the job', async (t) => {
  const { service, publishFolder, look } = await setUp(t);
  const lying = { ...file('x'.repeat(100)) };
  service.files.set('data/c.bin', lying);
  service.beforeFile = (path) => {
    if (path === 'data/c.bin') service.files.set(path, { ...lying, bytes: Buffer.from('short') });
  };
  await run(service, { publishFolder });
  assert.equal(service.heard.end?.how, 'fail');
  assert.equal(service.heard.end.body['code'], 'cannotTransfer');
  assert.equal(service.heard.end.body['isTransient'], true);
  assert.equal(await look('index.html'), undefined);
});

test('an abort ends the run at once, and the former bundle still works', { timeout: 60_000 }, async (t) => {
  const { service, publishFolder, all, look, publish } = await setUp(t);
  await publish();
  const before = await all();
  service.files = new Map(
    [...service.files].map(([path, each]): [string, TestFile] => [path, { ...each, version: 'two-two-two' }]),
  );
  const asked = Promise.withResolvers<void>();
  service.beforeFile = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const running = run(service, { publishFolder });
  await asked.promise;
  const from = performance.now();
  service.abort();
  await running;
  const tookMs = performance.now() - from;
  t.diagnostic(`ended after ${tookMs.toFixed(0)} ms`);
  assert.ok(tookMs < 10_000, `${tookMs} ms`);
  assert.deepEqual([service.heard.end?.how, service.heard.end?.body['code']], ['fail', 'aborted']);
  assert.deepEqual(await all(), before);
  assert.equal(String(await look('index.html')), '<title>one</title>');
});

test('a timeout and a runner shutdown end the run likewise', { timeout: 20_000 }, async (t) => {
  const { service, publishFolder } = await setUp(t);
  service.beforeFile = () => new Promise(() => {});
  Object.assign(service.job, { timeoutSeconds: 1 });
  await run(service, { publishFolder });
  assert.deepEqual([service.heard.end?.how, service.heard.end?.body['code']], ['fail', 'timedOut']);
  Object.assign(service.job, { timeoutSeconds: 60 });
  const shutdown = new AbortController();
  service.beforeFile = () => {
    shutdown.abort();
    return new Promise(() => {});
  };
  await run(service, { publishFolder, shutdown: shutdown.signal });
  assert.equal(service.heard.end?.how, 'release');
});

test('a runner that lost its lease before the commit changes no file', async (t) => {
  const { service, publishFolder, look } = await setUp(t);
  service.files.get('index.html');
  service.beforeFile = (path) => {
    if (path === 'index.html') setImmediate(() => (service.isLost = true));
  };
  await run(service, { publishFolder });
  assert.equal(service.heard.end, undefined);
  assert.equal(await look('index.html'), undefined);
  assert.equal((await stat(join(publishFolder, 'site/engine/main.js'))).isFile(), true);
});

test('a runner that lost its lease after the commit removes no file and keeps the journal', async (t) => {
  const { service, publishFolder, site, look, publish } = await setUp(t);
  await publish();
  service.files.delete('data/a.geojson');
  await publish();
  service.yeses = 1;
  await run(service, { publishFolder });
  assert.equal(service.heard.end, undefined);
  assert.ok(await look('data/a.geojson'));
  const journal = await readFile(join(site, '.platen/journal.json'), 'utf8');
  assert.ok(journal.includes('data/a.geojson'), 'the next attempt knows what may have been touched');
});
