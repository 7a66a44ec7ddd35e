import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../../../checks/clean-up.ts';
import { ownerOf, postmasterPid, query, startService } from './testing.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const base = mkdtempSync(join(tmpdir(), 'platen-pg-users-'));
chmodSync(base, 0o755);
afterFile(() => rmSync(base, { recursive: true, force: true }));

const onlyRoot = { skip: !isRoot && 'only root can start PostgreSQL as another user' };
const nodeFor = (uid: number, url: string, role: string) =>
  spawnSync(
    process.execPath,
    [
      '-e',
      `const { Client } = require('pg');
      const client = new Client({ connectionString: process.argv[1], user: process.argv[2] });
      client.connect().then(() => console.log('connected'), (error) => console.log(error.message)).finally(() => process.exit());`,
      url,
      role,
    ],
    { uid, gid: uid, encoding: 'utf8', cwd: import.meta.dirname },
  ).stdout;

test(
  'as root, PostgreSQL has a user that no other process has, and nobody but the service can connect',
  onlyRoot,
  async () => {
    const dataDir = join(base, 'own-user');
    const service = await startService(dataDir);
    assert.ok(service.url, service.said());
    const { uid, gid } = ownerOf(join(dataDir, 'pgdata'));
    assert.ok(uid >= 60_578 && uid !== NOBODY && uid === gid, `${uid}:${gid}`);
    assert.equal(ownerOf(`/proc/${postmasterPid(dataDir)}`).uid, uid);
    for (const role of ['platen', 'postgres']) {
      assert.match(nodeFor(NOBODY, service.url, role), /EACCES/);
      assert.match(nodeFor(uid, service.url, role), /Peer authentication failed/);
      assert.equal(nodeFor(0, service.url, role), 'connected\n');
    }
    await service.end('SIGTERM');
  },
);

test(
  'as root, a data folder of an earlier version, of nobody and with trust, is taken over with its rows',
  onlyRoot,
  async () => {
    const dataDir = join(base, 'earlier');
    const first = await startService(dataDir);
    await query(first.url, 'create table kept as select 42 as answer');
    await first.end('SIGTERM');
    const pgdata = join(dataDir, 'pgdata');
    const { uid } = ownerOf(pgdata);
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, pgdata]);
    writeFileSync(join(pgdata, 'pg_hba.conf'), 'local all all trust\n');
    const later = await startService(dataDir);
    assert.deepEqual(await query(later.url, 'select answer from kept'), [{ answer: 42 }]);
    assert.match(nodeFor(uid, later.url, 'postgres'), /Peer authentication failed/);
    assert.deepEqual([ownerOf(pgdata).uid, ownerOf(join(pgdata, 'base')).uid], [uid, uid]);
    await later.end('SIGTERM');
  },
);

test(
  'an ordinary user connects as itself, and the socket trusts nobody else',
  { skip: isRoot && 'needs an ordinary user' },
  async () => {
    const dataDir = join(base, 'ordinary');
    const service = await startService(dataDir);
    assert.equal((await query(service.url, 'select 1')).length, 1, service.said());
    for (const file of ['pg_hba.conf', 'pgdata/pg_hba.conf'])
      assert.doesNotMatch(readFileSync(join(dataDir, file), 'utf8'), /^(local|host).*trust/m);
    await service.end('SIGTERM');
  },
);
