import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startService } from '../../testing.ts';
import { enrolledRunner, holdNext, multiply, projectOf, queued } from './testing.ts';

const jobs = Number(process.env['PLATEN_QUEUE_JOBS'] ?? 300);
const projects = 4;
const service = await startService();
const { db } = service.context;

test(`eight runners take ${jobs} jobs of ${projects} projects: none twice, none lost, each ended once`, async () => {
  for (let n = 0; n < projects; n++) {
    const projectId = await projectOf(service, `Project ${n}`);
    await multiply(service, await queued(service, projectId), jobs / projects);
  }
  // counted by the database, past all of our own code
  await sql`create table counted (job_id text, change text)`.execute(db);
  await sql`create function count_change() returns trigger language plpgsql as $$ begin
    insert into counted values (new.id, new.state); return null; end $$`.execute(db);
  await sql`create trigger count_changes after update of state on job for each row
    when (old.state is distinct from new.state) execute function count_change()`.execute(db);
  const names = Array.from({ length: 8 }, (_, n) => `of eight ${n}`);
  const claimed = await Promise.all(
    names.map(async (name) => {
      const runner = await enrolledRunner(service, name);
      const mine: string[] = [];
      for (let held = await holdNext(service, runner); held; held = await holdNext(service, runner)) {
        mine.push(held.jobId);
        assert.equal(held.attempt, 1);
        assert.deepEqual(await held.complete(), { state: 'succeeded' });
        await assert.rejects(held.complete(), { status: 401 });
      }
      return mine;
    }),
  );
  assert.equal(claimed.flat().length, jobs);
  assert.equal(new Set(claimed.flat()).size, jobs);
  const { rows } = await sql<{ change: string; times: number; jobs: number }>`
    select change, count(*) as times, count(distinct job_id) as jobs from counted group by change order by change`.execute(
    db,
  );
  assert.deepEqual(rows, [
    { change: 'running', times: jobs, jobs },
    { change: 'succeeded', times: jobs, jobs },
  ]);
});
