import type { JobProgress } from '@platen/contract/jobs';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { lockKeys, tryLock } from '../../base/database/advisory-locks.ts';
import type { JobRow } from '../store.ts';
import type { ProjectEventTable } from '../../base/database/schema.ts';

export type EventRow = Selectable<ProjectEventTable>;

const batch = 5_000;

const columns = sql`project_id, type, action, resource_id, revision, by, owner_id, task_id, state, count, at`;

/**
 * Gives committed changes their position. An advisory lock, held until commit, admits one mover at a time, so that no
 * position appears after a higher one was read. Changes of files in one bucket become one event. Returns false when
 * there may be more, or when another mover is active.
 */
export async function moveChanges(db: Db, { mayWait }: { readonly mayWait: boolean }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (mayWait) await lockMoving(tx);
    else if (!(await tryLock(tx, lockKeys.events))) return false;
    const { rows } = await sql<{ taken: number }>`
      with taken as (
        delete from project_change where id <= (
          select max(id) from (select id from project_change order by id limit ${batch}) first
        ) returning *
      ), grouped as (
        select id, ${columns} from taken where type <> 'objects'
        union all
        select max(id), project_id, type, action, resource_id, max(revision), by, max(owner_id), max(task_id),
          max(state), sum(count)::bigint, max(at)
        from taken where type = 'objects' group by project_id, type, action, resource_id, by
      ), moved as (
        insert into project_event (${columns}) select ${columns} from grouped order by id
      )
      select count(*) as taken from taken`.execute(tx);
    return rows[0]!.taken < batch;
  });
}

/** Serialises transactions that assign positions or move the horizon. */
export async function lockMoving(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeys.events})`.execute(tx);
}

/** Gives a position to everything committed so far, even if that is the backlog of a day. */
export async function moveAll(db: Db): Promise<void> {
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from project_change`.execute(db);
  const last = rows[0]!.last;
  if (last === null) return;
  for (;;) {
    const first = await sql<{ id: number | null }>`select min(id) as id from project_change`.execute(db);
    const { id } = first.rows[0]!;
    if (id === null || id > last) return;
    await moveChanges(db, { mayWait: true });
  }
}

export interface Bounds {
  /** Position of the newest event. */
  readonly head: number;
  /** Events up to this position may have been removed. */
  readonly horizon: number;
}

const head = sql`greatest((select max(position) from project_event), (select position from event_horizon))`;

export async function findBounds(db: Db): Promise<Bounds> {
  const { rows } = await sql<Bounds>`select ${head} as head, position as horizon from event_horizon`.execute(
    db,
  );
  return rows[0]!;
}

export interface NewsQuery {
  readonly after: number;
  readonly projectIds: readonly string[];
  readonly jobIds: readonly string[];
}

export interface JobMark {
  readonly id: string;
  readonly revision: number;
  readonly logSeq: number;
}

export interface RunningJob {
  readonly id: string;
  readonly projectId: string;
  readonly taskId: string;
  readonly revision: number;
  readonly progress: JobProgress;
}

export interface NewEvents {
  readonly head: number;
  /** Changes wait for their position. */
  readonly isPending: boolean;
  readonly events: readonly (Omit<EventRow, 'at'> & { at: string })[];
  readonly jobs: readonly JobMark[];
  readonly running: readonly RunningJob[];
}

export const maxNewEvents = 2_000;

/** Everything new for all listeners of a replica, from one snapshot in one round trip. */
export async function findNewEvents(db: Db, { after, projectIds, jobIds }: NewsQuery): Promise<NewEvents> {
  const projects = sql`any(${[...projectIds]}::text[])`;
  const { rows } = await sql<NewEvents>`select
    ${head} as head,
    (select min(id) from project_change) is not null as "isPending",
    (select coalesce(json_agg(e order by position), '[]') from (
      select position, ${columns} from project_event where position > ${after}::bigint and project_id = ${projects}
      order by position limit ${maxNewEvents}
    ) e) as events,
    (select coalesce(json_agg(json_build_object('id', id, 'revision', revision, 'logSeq', log_seq)), '[]') from job
      where id = any(${[...jobIds]}::text[])) as jobs,
    (select coalesce(json_agg(json_build_object('id', id, 'projectId', project_id, 'taskId', task_id,
        'revision', revision, 'progress', progress)), '[]') from job
      where state = 'running' and project_id = ${projects} and task_id is not null and progress is not null) as running
    `.execute(db);
  return rows[0]!;
}

export interface EventPage {
  readonly events: readonly EventRow[];
  /** The events are complete up to this position. */
  readonly position: number;
  /** Events after the requested position were removed, or the position is not one of ours. */
  readonly isTooOld: boolean;
}

export async function findEvents(
  db: Db,
  { projectId, after, limit }: { projectId: string; after: number; limit: number },
): Promise<EventPage> {
  const { rows } = await sql<Partial<EventRow> & Bounds>`
    select e.*, h.* from (select ${head} as head, position as horizon from event_horizon) h left join lateral (
      select * from project_event where project_id = ${projectId} and position > ${after}::bigint
      order by position limit ${limit}
    ) e on true order by e.position`.execute(db);
  const bounds = rows[0]!;
  const events = rows.filter((row): row is EventRow & Bounds => row.position !== null);
  const position = events.length < limit ? bounds.head : events.at(-1)!.position;
  return { events, position, isTooOld: after < bounds.horizon || after > bounds.head };
}

export async function findJobRows(db: Db, ids: readonly string[]): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`select * from job where id = any(${[...ids]}::text[])`.execute(db);
  return rows;
}
