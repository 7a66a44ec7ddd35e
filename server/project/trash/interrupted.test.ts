import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Kysely, PostgresDialect, sql, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Context } from '../../base/context.ts';
import type { Tables } from '../../base/database/schema.ts';
import { prepareStatements } from '../../base/database/prepared-statements.ts';
import { superUser } from '../../base/database/testing.ts';
import { removeBucket } from '../../files/buckets/operations.ts';
import { removeObject } from '../../files/objects/operations.ts';
import { moveObject } from '../../files/objects/transfer.ts';
import { startService } from '../../testing.ts';

const { admin, adminId, context, databaseUrl } = await startService();
const caller = superUser(adminId);
const keys = ['a/1.bin', 'a/2.bin', 'a/deep/3.bin', 'b/1.bin', 'b/2.bin'];

interface Place {
  readonly projectId: string;
  readonly dataBucketId: string;
}

const deletions: Readonly<Record<string, (context: Context, place: Place) => Promise<unknown>>> = {
  'a file': (faulty, place) => removeObject(faulty, caller, { ...place, key: 'a/1.bin', force: false }),
  'a folder': (faulty, place) => removeObject(faulty, caller, { ...place, key: 'a/', force: false }),
  'files that a move replaces': (faulty, place) =>
    moveObject(faulty, caller, { ...place, body: { key: 'a/', to: 'b/', overwrite: true } }),
  'a data bucket': (faulty, place) => removeBucket(faulty, caller, { ...place, force: true }),
};

for (const [name, remove] of Object.entries(deletions)) {
  test(`wherever the deletion of ${name} is interrupted, each file is in its place or in the trash, with its bytes`, async () => {
    let isDone = false;
    let steps = 0;
    for (; !isDone; steps++) {
      assert.ok(steps < 100);
      const place = await makeFiles();
      const db = databaseThatBreaksBefore(steps);
      isDone = await remove({ ...context, db }, place).then(
        () => true,
        () => false,
      );
      await db.destroy();
      const { inPlace, inTrash, released } = await countFiles(place);
      assert.equal(inPlace + inTrash, keys.length, `interrupted before statement ${steps + 1}`);
      assert.equal(released, 0, 'no blob is left to the clean-up');
      if (!isDone) assert.equal(inTrash, 0, 'what was not committed is undone');
      else assert.ok(inTrash > 0, 'the trash has what was deleted');
    }
    assert.ok(steps > 5, `${steps} statements were tried`);
  });
}

async function makeFiles(): Promise<Place> {
  const project = await admin.postProject({ body: { name: 'P', description: '', bbox: [0, 0, 1, 1] } });
  const { _id: dataBucketId } = await admin.postProjectDataBucket({
    params: { projectId: project._id },
    body: { name: 'B' } as never,
  });
  const place = { projectId: project._id, dataBucketId };
  const body = new FormData();
  for (const key of keys) body.append(key, new Blob([key]), 'file');
  await admin.postProjectDataBucketUpload({ params: place, body });
  return place;
}

async function countFiles({ projectId }: Place) {
  const { rows } = await sql<{ inPlace: number; inTrash: number; released: number }>`select
    (select count(*) from object where project_id = ${projectId}) as "inPlace",
    (select count(*) from trash_object t join trash_entry e on e.id = t.entry_id where t.project_id = ${projectId}) as "inTrash",
    (select count(*) from blob where project_id = ${projectId} and unneeded_since is not null) as released`.execute(
    context.db,
  );
  return rows[0]!;
}

/** Its connection is ended by the server before a statement; `begin` and `commit` count. */
function databaseThatBreaksBefore(statement: number): Kysely<Tables> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => {}).on('connect', (client) => void client.on('error', () => {}));
  const whole = prepareStatements(pool);
  let count = 0;
  const faulty: PostgresPool = {
    ...whole,
    async connect() {
      const client = await whole.connect();
      const query = async (...words: [string, readonly unknown[]]) => {
        if (count++ === statement) await client.query('select pg_terminate_backend(pg_backend_pid())', []);
        return client.query(...words);
      };
      return { query, release: () => client.release() } as never;
    },
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: faulty }) });
}
