import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { eventually, noneBelow, postmasterPid, processesBelow, query, startService } from './testing.ts';
import { afterFile } from '../../../../checks/clean-up.ts';

const base = mkdtempSync(join(tmpdir(), 'platen-pg-test-'));
chmodSync(base, 0o755);
const main = join(base, 'main');
afterFile(() => rmSync(base, { recursive: true, force: true }));

test('kill -9 under load, of the service, the postmaster or everything, loses no acknowledged row', async (t) => {
  const dataDir = join(base, 'load');
  const acknowledged: string[] = [];
  for (const victim of ['service', 'everything', 'postmaster', 'everything']) {
    const service = await startService(dataDir, { connections: 8 });
    assert.ok(service.url, service.said());
    const moreRows = (start = service.acknowledged().length) =>
      eventually('rows are acknowledged', () => service.acknowledged().length > start + 200 || undefined);
    await moreRows();
    await sleep(Math.random() * 300);
    if (victim === 'postmaster') {
      process.kill(postmasterPid(dataDir), 'SIGKILL');
      await eventually('it is seen', () => /ended unexpectedly/.test(service.said()) || undefined);
      await moreRows();
    }
    const victims = victim === 'everything' ? processesBelow(base) : [];
    service.child.kill('SIGKILL');
    for (const { pid } of victims) spawnSync('kill', ['-KILL', String(pid)]);
    await service.end('SIGKILL');
    acknowledged.push(...service.acknowledged());
  }
  const last = await startService(dataDir);
  const found = new Set((await query(last.url, 'select id from row')).map(({ id }) => id));
  await last.end('SIGTERM');
  const lost = acknowledged.filter((id) => !found.has(id));
  assert.deepEqual(lost, []);
  t.diagnostic(`${acknowledged.length} acknowledged rows, ${lost.length} lost`);
});

test('a killed postmaster is restarted on the same address, and a pool reconnects', async () => {
  const lines: string[] = [];
  const { url, stop } = await startEmbeddedPostgres({ dataDir: main, log: (line) => lines.push(line) });
  const pool = new Pool({ connectionString: url });
  pool.on('error', () => {}); // idle connections die with the server
  await pool.query('create table kept as select 42 as answer');
  const busy = new Client({ connectionString: url });
  busy.on('error', () => {});
  await busy.connect();
  // A backend that is busy does not notice that its postmaster has gone.
  const endless = busy.query('select count(*) from generate_series(1, 100000000000)').catch(() => 'cut');
  const pid = postmasterPid(main);
  process.kill(pid, 'SIGKILL');
  await eventually('the postmaster is another', () => {
    return (existsSync(join(main, 'pgdata/postmaster.pid')) && postmasterPid(main) !== pid) || undefined;
  });
  const { rows } = await eventually('the pool answers again', () =>
    pool.query('select answer from kept').catch(() => undefined),
  );
  assert.deepEqual(rows, [{ answer: 42 }]);
  assert.equal(await endless, 'cut');
  assert.ok(lines.some((line) => /ended unexpectedly \(SIGKILL\)/.test(line)));
  await pool.end();
  await stop();
  await noneBelow(base);
});

test('a server that dies repeatedly is given up: exited resolves and the folder is free', async () => {
  const { exited } = await startEmbeddedPostgres({ dataDir: main, log: () => {} });
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  await eventually('it is given up', () => {
    for (const { pid, title } of processesBelow(base)) {
      if (/bin\/postgres -D/.test(title) && !title.startsWith('/bin/sh')) process.kill(pid, 'SIGKILL');
    }
    return isOver || undefined;
  });
  assert.match(await exited, /after 5 failed restarts/);
  const next = await startService(main);
  assert.ok(next.url, next.said());
  assert.doesNotMatch(next.said(), /another service process is using/);
  await next.end('SIGTERM');
});

test('a stop in the middle of a restart leaves nothing behind', async () => {
  for (const delayMs of [0, 60, 120]) {
    const { stop, exited } = await startEmbeddedPostgres({ dataDir: main, log: () => {} });
    process.kill(postmasterPid(main), 'SIGKILL');
    await sleep(delayMs);
    await stop();
    await exited;
    await noneBelow(base);
  }
});
