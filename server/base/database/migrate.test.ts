import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase } from '../../testing.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const count = (await readdir(new URL('./migrations/', import.meta.url))).length;

test('replicas that start together apply each migration once, and later starts none', async () => {
  const url = await createDatabase();
  const replicas = [1, 2, 3, 4, 5].map(() => openDatabase(url, { maxConnections: 2 }));
  try {
    await Promise.all(replicas.map((db) => migrate(db)));
    const [db] = replicas;
    const applied = async () => (await sql`select * from migration`.execute(db!)).rows;
    const first = await applied();
    assert.equal(first.length, count);
    await migrate(db!);
    assert.deepEqual(await applied(), first);
  } finally {
    await Promise.all(replicas.map((db) => db.destroy()));
  }
});

test('a database of a newer service is refused, not guessed at', async () => {
  const db = openDatabase(await createDatabase(), { maxConnections: 2 });
  try {
    await migrate(db);
    await sql`insert into migration (name, applied_at) values ('9999_from_the_future.sql', now())`.execute(
      db,
    );
    await assert.rejects(migrate(db), /newer version of the service \(9999_from_the_future\.sql\)/);
  } finally {
    await db.destroy();
  }
});
