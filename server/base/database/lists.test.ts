import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type RawBuilder } from 'kysely';
import { addDatasource, sampleModule } from '../../apps/modules/testing.ts';
import { projectWithCities, tilingTask } from '../../jobs/tasks/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };

/** Puts 66 rows beside the one of this id, which are like it but for the columns given. */
async function multiply(table: string, id: string, change: Record<string, RawBuilder<unknown>>) {
  const columns = Object.entries(change);
  const fields = columns.map(([name, value]) => sql`${sql.lit(name)}, ${value}`);
  await sql`insert into ${sql.table(table)}
    select made.* from ${sql.table(table)} one, generate_series(1, 66) n, jsonb_populate_record(one,
      jsonb_build_object('id', concat(one.id, n), ${sql.join(fields)})) made
    where one.id = ${id}`.execute(context.db);
}

/** JSON of 1 MiB. */
const big = sql`jsonb_build_object('a', repeat('x', 1048576))`;
const tooLarge = {
  status: 413,
  errors: [
    {
      pointer: 'limit',
      code: 'too_large',
      detail: 'These items total 67 MiB; the maximum is 64 MiB. Request fewer with a smaller limit.',
    },
  ],
};

test('a page of modules that are too large together is refused, and a shorter one is not', async () => {
  const { _id: id } = await admin.postProjectModule({ params, body: sampleModule });
  await multiply('module', id, { content: big });
  await assert.rejects(admin.getProjectModules({ params, query: { limit: 1000 } }), tooLarge);
  await assert.rejects(admin.getProjectModules({ params, query: { limit: 66 } }), tooLarge);
  const page = await admin.getProjectModules({ params, query: { limit: 21 } });
  assert.deepEqual([page.items.length, page.totalCount], [21, 67]);
  const last = await admin.getProjectModules({ params, query: { limit: 60, page: 1 } });
  assert.equal(last.items.length, 7);
  const beyond = await admin.getProjectModules({ params, query: { limit: 1000, page: 1 } });
  assert.deepEqual(beyond.items, []);
});

test('modules hidden from a caller do not count', async () => {
  const guest = await service.user('gil');
  await admin.putProjectUser({ params: { ...params, userId: guest.id }, body: { roleId: 'projectMember' } });
  const { items } = await guest.client.getProjectModules({ params, query: { limit: 1000 } });
  assert.equal(items.length, 67);
});

test('a page of datasources that are too large together is refused', async () => {
  await multiply('datasource', await addDatasource(service, projectId), { type_properties: big });
  await assert.rejects(admin.getProjectDatasources({ params, query: { limit: 1000 } }), tooLarge);
  const { items } = await admin.getProjectDatasources({ params });
  assert.equal(items.length, 20);
});

test('a page of tasks that are too large together, with their last jobs, is refused', async () => {
  const { _id: id, lastJobId } = await admin.postProjectTask({ params, body: tilingTask(bucketId) });
  await context.db
    .updateTable('job')
    .set({
      warnings: sql`json_build_array(json_build_object('code', 'a', 'message', repeat('x', 1048576), 'count', 1, 'examples', '[]'::json))`,
    })
    .where('id', '=', lastJobId!)
    .execute();
  await multiply('task', id, { name: sql`'like it'::text` });
  await assert.rejects(admin.getProjectTasks({ params, query: { limit: 1000 } }), { status: 413 });
  const { items } = await admin.getProjectTasks({ params });
  assert.equal(items.length, 20);
});
