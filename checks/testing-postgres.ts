import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLE } from '../server/base/database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../server/base/database/embedded/embedded-postgres.ts';
import { defaultSettings } from '../server/base/config.ts';
import { openDatabase } from '../server/base/database/database.ts';
import { migrate } from '../server/base/database/migrate.ts';
import { ensureBuiltInRoles } from '../server/identity/iam/roles.ts';
import { ensureFirstAdmin } from '../server/identity/first-admin.ts';
import { adminPassword } from '../e2e/processes.ts';
import { preparedVariable } from '../e2e/testing-prepared.ts';
import { settingsForTests } from './postgres-server.ts';
import { runStatement, templateVariable, withTemplate } from '../server/testing-template.ts';

/** The embedded PostgreSQL for a while, on a folder of its own. */
export async function withEmbeddedPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-pg-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  try {
    await beQuick(server.url);
    return await work(server.url);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function beQuick(url: string): Promise<void> {
  const superuser = url.replace(`user=${ROLE}`, 'user=postgres');
  for (const [name, value] of Object.entries(settingsForTests))
    await runStatement(superuser, `alter system set ${name} = ${value}`);
  await runStatement(superuser, 'select pg_reload_conf()');
}

/** The environment for tests that start services: these copy a database that is made here, as a first start makes it. */
export async function withPreparedDatabase<T>(
  work: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-prepared-'));
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
    const db = openDatabase(server.url, { maxConnections: 1 });
    const now = new Date();
    await migrate(db);
    await ensureBuiltInRoles(db, now);
    await ensureFirstAdmin(db, { username: 'admin', password: adminPassword, now }, defaultSettings);
    await db.destroy();
    await server.stop();
    return await work({ [preparedVariable]: dataDir });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The environment for tests on that server, which copy a database with all migrations as long as the work lasts. */
export function withTestDatabases<T>(
  url: string,
  work: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  return withTemplate(url, (template) =>
    work({ PLATEN_TEST_DATABASE_URL: url, [templateVariable]: template }),
  );
}
