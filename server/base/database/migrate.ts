import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import type { Tables } from './schema.ts';
import { lockKeys } from './advisory-locks.ts';

const migrations = new URL('./migrations/', import.meta.url);
const routines = new URL('./routines/', import.meta.url);

/**
 * Applies the numbered SQL files that this database does not have yet, each in its own transaction, and recreates the
 * functions and triggers of `routines/` if their files have changed. Replicas that start at the same time take turns.
 * @throws Error if a newer service has written to the database
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${lockKeys.migration})`.execute(connection);
    try {
      await applyMissing(connection);
      await createRoutines(connection);
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
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).toSorted();
  const unknown = [...applied].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was written by a newer version of the service (${unknown.join(', ')}): update this one.`,
    );
  }
  for (const name of names) {
    if (applied.has(name)) continue;
    const text = await readFile(new URL(name, migrations), 'utf8');
    await db.transaction().execute(async (tx) => {
      await sql.raw(text).execute(tx);
      await sql`insert into migration (name, applied_at) values (${name}, now())`.execute(tx);
    });
  }
}

/** Runs in one transaction, so that a service never sees only some of them. */
async function createRoutines(db: Kysely<Tables>): Promise<void> {
  const names = (await readdir(routines)).filter((name) => name.endsWith('.sql')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, routines), 'utf8')));
  const wanted = hash('sha256', texts.join('\n'));
  const { rows } = await sql<{ hash: string }>`select hash from routines`.execute(db);
  if (rows[0]?.hash === wanted) return;
  await db.transaction().execute(async (tx) => {
    await sql`set local check_function_bodies = off`.execute(tx); // they refer to each other
    for (const text of texts) await sql.raw(text).execute(tx);
    await sql`delete from routines`.execute(tx);
    await sql`insert into routines (hash) values (${wanted})`.execute(tx);
  });
}
