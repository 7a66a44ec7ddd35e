import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLE } from '../server/base/database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../server/base/database/embedded/embedded-postgres.ts';
import { notDurable } from './postgres-server.ts';
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
  for (const [name, value] of Object.entries(notDurable))
    await runStatement(superuser, `alter system set ${name} = ${value}`);
  await runStatement(superuser, 'select pg_reload_conf()');
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
