import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startService as startWholeService } from '../../service.ts';
import { createDatabase, startReplica, startService } from '../../testing.ts';
import { readConfig } from '../config.ts';
import { findSchemaDifferences } from './check-schema.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const { app, context } = await startService();
const { db } = context;
const rollback = new Error('rolled back');

/** The differences after a statement, which is undone. */
async function differencesAfter(statement: string): Promise<string[]> {
  let differences: string[] = [];
  const changed = db.transaction().execute(async (tx) => {
    await sql.raw(statement).execute(tx);
    differences = await findSchemaDifferences(tx);
    throw rollback;
  });
  await assert.rejects(changed, rollback);
  return differences;
}

test('the database that migrations make has no difference from schema.sql', async () => {
  assert.deepEqual(await findSchemaDifferences(db), []);
});

const changes: Readonly<Record<string, readonly string[]>> = {
  'drop table share_link cascade': ['table share_link'],
  'alter table app drop column description': ['column app.description text not null'],
  'alter table app alter column description drop not null': ['column app.description text not null'],
  'alter table blob alter column size type integer': ['column blob.size bigint not null'],
  'alter table datasource rename column name to title': ['column datasource.name text not null'],
  'drop index app_created_at': ['index app_created_at'],
  'drop trigger object_deleted on object': ['trigger object.object_deleted'],
  'alter table object disable trigger object_deleted': ['trigger object.object_deleted'],
  'alter table app drop constraint app_slug_key': ['constraint app unique (slug)'],
  'drop view pinned_place cascade': ['view pinned_place'],
};

for (const [statement, expected] of Object.entries(changes)) {
  test(`“${statement}” is noticed and named`, async () => {
    const differences = await differencesAfter(statement);
    for (const difference of expected) assert.ok(differences.includes(difference), differences.join('; '));
  });
}

test('every table, index and trigger of schema.sql is looked for', async () => {
  const text = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');
  const tables = [...text.matchAll(/^create table (\w+)/gm)].map(([, name]) => name!);
  const all = await differencesAfter(`drop table ${tables.join(', ')} cascade`);
  for (const table of tables) assert.ok(all.includes(`table ${table}`));
  const others = text.match(/^create (?:unique )?index|^create (?:view|sequence)/gm)!.length;
  assert.ok(all.length >= tables.length + others - 2, 'the two sequences may remain');
});

test('tables, columns and indexes that an operator adds are accepted', async () => {
  const statement = `create table report (id int); create view apps as select id from app;
    alter table app add column note text; create index app_note on app (note)`;
  assert.deepEqual(await differencesAfter(statement), []);
});

test('the service does not start without a table, and names it', async (t) => {
  const url = await createDatabase();
  const broken = openDatabase(url, { maxConnections: 1 });
  await migrate(broken);
  await sql`drop table share_link cascade`.execute(broken);
  await broken.destroy();
  const dataFolder = await mkdtemp(join(tmpdir(), 'platen-schema-'));
  t.after(() => rm(dataFolder, { recursive: true, force: true }));
  const config = readConfig({ DATABASE_URL: url, PLATEN_DATA: dataFolder, PLATEN_RUNNERS: '0' });
  const database = { url, broken: new Promise<string>(() => {}), stop: async () => {} };
  const starting = startWholeService({ ...config, port: 0 }, context.log, Promise.resolve(database));
  await assert.rejects(starting, /lacks parts of its schema.*: table share_link.*schema\.sql/);
});

test('/readyz reports a table that goes missing while the service runs', async () => {
  assert.equal((await app.inject('/readyz')).statusCode, 200);
  await sql`alter table scenario rename to scenario_old`.execute(db);
  try {
    const reply = await (await startReplica(context)).inject('/readyz');
    assert.equal(reply.statusCode, 503);
    const { checks } = reply.json<{ checks: { schema: string } }>();
    assert.equal(checks.schema, 'different');
  } finally {
    await sql`alter table scenario_old rename to scenario`.execute(db);
  }
});
