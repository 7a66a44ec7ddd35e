import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startService } from '../../testing.ts';
import { keepBlob } from '../../files/objects/blobs.ts';
import { sweep } from './sweep.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };

const day = 24 * 3_600_000;
const nothing = { trash: 0, revisions: 0, unneeded: 0, orphans: 0 };

test('bytes go an hour after the last file, revision or item of the trash has let go of them', async () => {
  const { admin, context } = await startService();
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body: world });
  const params = { projectId, dataBucketId };
  const upload = async (name: string, query = {}) => {
    const form = new FormData();
    form.append('file', new Blob([`${name} ${Math.random()}`]), name);
    await admin.postProjectDataBucketUpload({ params, query, body: form });
    const { blob_id } = await context.db
      .selectFrom('object')
      .select('blob_id')
      .where('key', '=', name)
      .executeTakeFirstOrThrow();
    return blob_id;
  };
  const kept = await upload('kept.txt');
  const deleted = await upload('deleted.txt');
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'deleted.txt' } });
  const replaced = await upload('replaced.txt');
  const current = await upload('replaced.txt', { overwrite: true });
  const orphan = 'orphan0000000000';
  await context.store.put(orphan, Readable.from([Buffer.from('no row')]));

  const begin = Date.now();
  const after = (ms: number) => ({ ...context, now: () => new Date(begin + ms) });
  const there = async (id: string) => (await context.store.head(id)) !== undefined;
  assert.deepEqual(await sweep(after(0)), nothing);
  assert.deepEqual(await sweep(after(29 * day)), { ...nothing, orphans: 1 });
  assert.deepEqual(await Promise.all([deleted, replaced].map(there)), [true, true]);
  // what is let go of is noted by the clock of the database, which has not gone on
  await context.db
    .updateTable('object_revision')
    .set({ replaced_at: new Date(begin - 31 * day) })
    .execute();
  await context.db
    .updateTable('trash_entry')
    .set({ deleted_at: new Date(begin - 31 * day) })
    .execute();
  assert.deepEqual(await sweep(after(0)), { ...nothing, trash: 1, revisions: 1 });
  assert.deepEqual(await Promise.all([deleted, replaced].map(there)), [true, true]);
  assert.deepEqual(await sweep(after(3_700_000)), { ...nothing, unneeded: 2 });
  assert.deepEqual(await sweep(after(3_700_000)), nothing);
  assert.deepEqual(await Promise.all([kept, current].map(there)), [true, true]);
  assert.deepEqual(await Promise.all([deleted, replaced, orphan].map(there)), [false, false, false]);
});

test('a blob that any table refers to is needed', async () => {
  const { context } = await startService();
  const tables = await sql<{ table: string; column: string }>`
    select conrelid::regclass::text as table, attname as column from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'blob'::regclass`.execute(context.db);
  const { rows } = await sql<{ table: string }>`
    select c.table_name as table from information_schema.columns c
    where c.table_schema = 'public' and c.column_name = 'blob_id'`.execute(context.db);
  assert.ok(rows.length >= 4);
  assert.deepEqual(tables.rows.map(({ table }) => table).sort(), rows.map(({ table }) => table).sort());
});

test('bytes without a row go in the second sweep that finds them so, as their row may be on its way in the first', async () => {
  const { context } = await startService();
  const later = { ...context, now: () => new Date(Date.now() + 2 * 3_600_000) };
  for (const id of ['orphan0000000000', 'late000000000000'])
    await context.store.put(id, Readable.from([Buffer.from(id)]));
  const suspects = new Set<string>();
  assert.equal((await sweep(later, { suspects })).orphans, 0);
  const late = { id: 'late000000000000', projectId: 'p', size: 16, sha256: 'ab', now: new Date() };
  await keepBlob(context.db, late);
  assert.equal((await sweep(later, { suspects })).orphans, 1);
  assert.notEqual(await context.store.head(late.id), undefined);
  assert.equal(await context.store.head('orphan0000000000'), undefined);
  assert.equal(suspects.size, 0);
});
