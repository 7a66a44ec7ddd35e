import { readdir, readFile } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import type { Tables } from './database.ts';
import { lockKeys } from './advisory-locks.ts';

const folder = new URL('./migrations/', import.meta.url);

/**
 * Applies the numbered SQL files that this database has not seen yet, each in its own transaction.
 * Replicas that start at the same time wait for each other.
 * @throws Error when the database was written by a newer service.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${lockKeys.migration})`.execute(connection);
    try {
      await applyMissing(connection);
    } finally {
      await sql`select pg_advisory_unlock(${lockKeys.migration})`.execute(connection);
    }
  });
}

async function applyMissing(db: Kysely<Tables>): Promise<void> {
  await sql`create table if not exists migration (name text primary key, applied_at timestamptz not null)`.execute(
    db,
  );
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
  const applied = new Set(rows.map((row) => row.name));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const unknown = [...applied].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was written by a newer version of the service (${unknown.join(', ')}): update this one.`,
    );
  }
  for (const name of names) {
    if (applied.has(name)) continue;
    const text = await readFile(new URL(name, folder), 'utf8');
    await db.transaction().execute(async (tx) => {
      await sql.raw(text).execute(tx);
      await sql`insert into migration (name, applied_at) values (${name}, now())`.execute(tx);
    });
  }
}
