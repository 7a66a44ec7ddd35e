import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { detectConfinement } from '@platen/confinement/confinement';
import { createParserPool, defaultParserOptions, type ParserPoolOptions } from './parser-pool.ts';
import { detectParserConfinement } from './parser-process.ts';
import { parseTask } from './parse-task.ts';
import type { parse, TestHost } from './testing-task.ts';

const task = parseTask<typeof parse>(new URL('./testing-task.ts', import.meta.url));
const threeBytes: TestHost = { read: async (length: number) => new Uint8Array(length) };

function poolOf(t: TestContext, options: Partial<ParserPoolOptions> = {}) {
  const pool = createParserPool(pino({ level: 'silent' }), { ...defaultParserOptions, ...options });
  t.after(() => pool.close());
  const run = (input: string, more: { tenant?: string; keepAs?: string; host?: TestHost } = {}) =>
    pool.run(task, { input, host: threeBytes, tenant: 'a', file: 'The file “x.zip”', ...more });
  return { pool, run };
}

test('a parser has no environment, no network and no files but code, and starts only when needed', async (t) => {
  const { pool, run } = poolOf(t, { idleMs: 50 });
  assert.equal(pool.counts.processes, 0);
  assert.deepEqual(await run('rights'), { environment: [], rights: [] });
  assert.equal(await run('read'), 3);
  while (pool.counts.processes > 0) await sleep(10); // idle ones end
});

test('a parser has a user and a network of its own where the machine allows it, and ends when it is told', async (t) => {
  const detected = await detectConfinement();
  const { run, pool } = poolOf(t, { confinement: await detectParserConfinement(), idleMs: 50 });
  const { user, interfaces } = (await run('user')) as { user: number; interfaces: number };
  if (detected.measures.has('ownUser')) assert.ok(user > 60_000 && user !== 65_534, `${user}`);
  else assert.equal(user, process.getuid!());
  if (detected.measures.has('ownNetwork')) assert.equal(interfaces, 0);
  await assert.rejects(run('exit'), /its parser has failed/);
  while (pool.counts.processes > 0) await sleep(10);
});

test('a parser that takes too long is stopped, and the next file is read', async (t) => {
  const { pool, run } = poolOf(t, { computeMs: 1500, maxProcesses: 1 });
  await assert.rejects(run('endless'), {
    code: 'unprocessable',
    message: 'The file “x.zip” cannot be read within 1.5 seconds. It is damaged or too complex.',
  });
  assert.equal(await run('read'), 3);
  assert.deepEqual(pool.counts.stopped, { time: 1, memory: 0, crash: 0 });
});

test('a parser that takes too much memory or fails is stopped, and the next file is read', async (t) => {
  const { pool, run } = poolOf(t, { computeMs: 60_000, memoryMegabytes: 32, maxProcesses: 1 });
  await assert.rejects(run('memory'), /The file “x.zip” cannot be read within 32 MiB of memory/);
  await assert.rejects(run('exit'), /its parser has failed/);
  await assert.rejects(run('unknown'), /its parser has failed/);
  assert.equal(await run('read'), 3);
  assert.deepEqual(pool.counts.stopped, { time: 0, memory: 1, crash: 2 });
});

test('files are refused with 503 while no process starts, or none gets ready', async (t) => {
  const startedBy = (...command: string[]) => ({ newUser: () => undefined, command: () => command });
  const refused = { code: 'unavailable', retryAfterSeconds: 5 };
  const { run, pool } = poolOf(t, { confinement: startedBy('no\0program'), maxWaitMs: 100 });
  await Promise.all([1, 2, 3].map(() => assert.rejects(run('read'), refused)));
  assert.deepEqual([pool.counts.processes, pool.counts.queued], [0, 0]);
  await sleep(150); // none is refused a second time
  const endless = startedBy('/bin/sh', '-c', 'exec sleep 1000');
  const { run: runLate } = poolOf(t, { confinement: endless, totalMs: 200 });
  await assert.rejects(runLate('read'), refused);
});

test('a process that has computed for long is replaced', async (t) => {
  const { pool, run } = poolOf(t, { retireAfterMs: -1 });
  assert.equal(await run('read'), 3);
  assert.equal(pool.counts.processes, 0);
  assert.equal(await run('read'), 3);
});

test('an error of the host is passed on, whatever the parser makes of it', async (t) => {
  const { run } = poolOf(t);
  const host = { read: () => Promise.reject(new Error('the storage is away')) };
  await assert.rejects(run('read', { host }), /the storage is away/);
});

test('requests for the same content share one answer, and a file that stopped a parser is not tried again', async (t) => {
  const { pool, run } = poolOf(t, { maxProcesses: 1 });
  let reads = 0;
  const host = {
    async read(length: number) {
      reads += 1;
      return new Uint8Array(length);
    },
  };
  const both = [run('read', { keepAs: 'blob', host }), run('read', { keepAs: 'blob', host })];
  assert.deepEqual(await Promise.all(both), [3, 3]);
  assert.equal(await run('read', { keepAs: 'blob', host }), 3);
  assert.equal(reads, 1);
  for (let i = 0; i < 2; i++) await assert.rejects(run('exit', { keepAs: 'hostile' }));
  assert.equal(pool.counts.stopped.crash, 1);
});

test('beyond the limits files are refused with 503, and one project does not take all processes', async (t) => {
  const { pool, run } = poolOf(t, { maxQueuedOfTenant: 2 });
  const gate = Promise.withResolvers<Uint8Array>();
  const order: string[] = [];
  const host = { read: () => gate.promise };
  const start = (tenant: string, name: string) =>
    run('read', { tenant, host }).then(() => void order.push(name));
  const waiting = [start('a', 'a1'), start('b', 'b1'), start('a', 'a2'), start('a', 'a3'), start('c', 'c1')];
  await assert.rejects(run('read'), { code: 'unavailable', retryAfterSeconds: 5 });
  assert.deepEqual({ queued: pool.counts.queued, refused: pool.counts.refused }, { queued: 3, refused: 1 });
  gate.resolve(new Uint8Array(3));
  await Promise.all(waiting);
  assert.ok(order.indexOf('c1') < order.indexOf('a3'), order.join());
  const { run: runLate } = poolOf(t, { maxProcesses: 1, maxWaitMs: 20 });
  const endless = { read: () => new Promise<Uint8Array>(() => {}) };
  void runLate('read', { host: endless }).catch(() => {});
  await assert.rejects(runLate('read'), { code: 'unavailable' });
});
