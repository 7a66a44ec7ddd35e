import { leaseMs } from '@platen/contract/runner';
import type { RunnerCapabilities } from '@platen/contract/runner-registration';
import {
  offlineAfterMs,
  type Runner,
  type RunnerListQuery,
  type RunnerState,
} from '@platen/contract/runners';
import type { Page } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import { gte, valid } from 'semver';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter } from '../../base/database/lists.ts';
import { version } from '../../base/version.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly state: RunnerState;
  readonly is_embedded: boolean;
  readonly labels: string[];
  readonly version: string;
  readonly type_names: string[] | null;
  readonly capabilities: RunnerCapabilities | null;
  readonly created_at: Date;
  readonly heard_at: Date;
  readonly stopped_at: Date | null;
  readonly job_id: string | null;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly job_type: string;
  readonly attempt: number;
}

const hourMs = 3_600_000;

/**
 * SQL for all runners with their state and current job. A busy runner is seen by its heartbeats, which extend the
 * lease of the job, an idle one by its claims.
 */
export function runnersAt(now: Date): RawBuilder<unknown> {
  const leaseSeconds = sql.lit(leaseMs / 1000);
  return sql`(select r.*, case when r.stopped_at is not null and r.job_id is null then 'stopped'
      when r.heard_at < ${new Date(now.getTime() - offlineAfterMs)}::timestamptz then 'offline'
      when r.job_id is null then 'idle' else 'busy' end as state
    from (select runner.*, held.id as job_id, held.project_id, held.task_id, held.job_type, held.attempt,
        greatest(runner.seen_at, held.lease_until - make_interval(secs => ${leaseSeconds})) as heard_at
      from runner left join lateral (
        select * from job where job.state = 'running' and job.runner_id = runner.id order by job.id limit 1
      ) held on true) r) r`;
}

export async function findRunners(db: Db, query: RunnerListQuery, now: Date): Promise<Page<Runner>> {
  const page = await selectPage(db, {
    from: runnersAt(now),
    columns: sql`r.*`,
    where: [
      textFilter('r.name', query.name),
      exactFilter('r.state', query.state),
      query.label?.length ? sql`r.labels && ${query.label}::text[]` : undefined,
    ],
    order: { name: 'r.name', version: 'r.version', seenAt: 'r.heard_at', createdAt: 'r.created_at' },
    tieBreak: 'r.id',
    query,
    fromRow: (row: Row) => row,
  });
  return { ...page, items: await withLastHour(db, page.items, now) };
}

export async function findRunner(db: Db, runnerId: string, now: Date): Promise<Runner | undefined> {
  const { rows } = await sql<Row>`select * from ${runnersAt(now)} where r.id = ${runnerId}`.execute(db);
  return (await withLastHour(db, rows, now))[0];
}

/** Locks a runner, so that it can neither register nor be removed before the transaction ends. */
export async function lockRunner(db: Db, runnerId: string): Promise<void> {
  await sql`select id from runner where id = ${runnerId} for update`.execute(db);
}

export async function deleteRunner(db: Db, runnerId: string): Promise<void> {
  await db.deleteFrom('runner').where('id', '=', runnerId).execute();
}

async function withLastHour(db: Db, runners: readonly Row[], now: Date): Promise<Runner[]> {
  if (runners.length === 0) return [];
  const { rows } = await sql<{ runner_id: string; succeeded: number; failed: number }>`
    select runner_id, count(*) filter (where state = 'succeeded') as succeeded,
      count(*) filter (where state in ('failed', 'timedOut')) as failed
    from job where end_time > ${new Date(now.getTime() - hourMs)}
      and runner_id = any (${runners.map(({ id }) => id)}) group by runner_id`.execute(db);
  const counts = new Map(rows.map(({ runner_id: id, succeeded, failed }) => [id, { succeeded, failed }]));
  return runners.map((row) => fromRow(row, counts.get(row.id) ?? { succeeded: 0, failed: 0 }));
}

function fromRow(row: Row, lastHour: Runner['lastHour']): Runner {
  const { job_id: jobId, project_id: projectId, task_id: taskId, job_type: jobType, attempt } = row;
  return {
    _id: row.id,
    name: row.name,
    state: row.state,
    isEmbedded: row.is_embedded,
    labels: row.labels,
    version: row.version,
    isOutdated: valid(row.version) === null || !gte(row.version, version),
    ...(row.type_names && { typeNames: row.type_names }),
    ...(row.capabilities && { capabilities: row.capabilities }),
    ...(jobId !== null && {
      job: { jobId, projectId, ...(taskId !== null && { taskId }), jobType, attempt },
    }),
    lastHour,
    createdAt: row.created_at.toISOString(),
    seenAt: row.heard_at.toISOString(),
    ...(row.stopped_at && { stoppedAt: row.stopped_at.toISOString() }),
  };
}
