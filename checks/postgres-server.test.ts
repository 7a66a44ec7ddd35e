import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { findPostgres, startPostgresServer } from './postgres-server.ts';

test('a PostgreSQL server of the machine starts for the tests, requires its password, and stops afterwards', async (t) => {
  const bin = findPostgres();
  if (!bin) return t.skip('NOT TESTED: no PostgreSQL server is installed here (apt-get install postgresql)');
  const server = await startPostgresServer(bin);
  t.after(() => server.stop());
  const select = (url: string) =>
    execFileSync(join(bin, 'psql'), [url, '--no-password', '-Atc', 'select 40 + 2'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  assert.equal(select(server.url), '42\n');
  assert.throws(() => select(server.url.replace(/:[0-9a-f]+@/, ':wrong@')), /password authentication failed/);
  await server.stop();
  assert.throws(() => select(server.url), /refused/);
});
