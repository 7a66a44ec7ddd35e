import { sql } from 'kysely';
import type { Settings } from '../../base/config.ts';
import type { Db } from '../../base/database/database.ts';
import type { ProjectTable } from '../../base/database/schema.ts';

export interface Amount {
  /** Sizes of files; equal bytes count for each. */
  readonly bytes: number;
  readonly objects: number;
}

/** Usage that counts against a quota. */
export type Held = Record<'current' | 'revisions' | 'trash' | 'jobFiles' | 'pictures' | 'reserved', Amount>;

/** Absent: no limit. */
export interface Limits {
  readonly bytes?: number;
  readonly objects?: number;
  readonly runningJobs?: number;
}

export interface HeldInBucket extends Pick<Held, 'current' | 'reserved'> {
  readonly dataBucketId: string;
  readonly name: string;
}

export const nothing: Amount = { bytes: 0, objects: 0 };

interface HeldRow extends Amount {
  bucket_id: string | null;
  name: string | null;
  kind: keyof Held;
}

/** Reads the counters of a project, a few rows however many files it has; buckets are ordered by name. */
export async function findHeld(db: Db, projectId: string): Promise<{ held: Held; buckets: HeldInBucket[] }> {
  const { rows } = await sql<HeldRow>`
    select b.id as bucket_id, b.name, 'current' as kind, f.bytes, f.objects
    from data_bucket b join folder f on f.bucket_id = b.id and f.path = '' where b.project_id = ${projectId}
    union all
    select b.id, b.name, 'reserved', sum(r.bytes)::bigint, sum(r.objects)::bigint
    from reservation r left join data_bucket b on b.id = r.bucket_id
    where r.project_id = ${projectId} and r.expires_at > now() group by b.id, b.name
    union all
    select null, null, kind, bytes, objects from kept_usage where project_id = ${projectId}
    order by name, bucket_id`.execute(db);
  const held: Held = {
    current: nothing,
    revisions: nothing,
    trash: nothing,
    jobFiles: nothing,
    pictures: nothing,
    reserved: nothing,
  };
  const buckets = new Map<string, HeldInBucket>();
  for (const { bucket_id: id, name, kind, bytes, objects } of rows) {
    held[kind] = { bytes: held[kind].bytes + bytes, objects: held[kind].objects + objects };
    if (id === null) continue;
    const known = buckets.get(id) ?? { dataBucketId: id, name: name!, current: nothing, reserved: nothing };
    buckets.set(id, { ...known, [kind]: { bytes, objects } });
  }
  return { held, buckets: [...buckets.values()] };
}

/** Returns the unused part of a quota; 0 if the quota was lowered below the usage. */
export function leftOf({ bytes, objects }: Limits, held: Held): Limits {
  const used = (unit: keyof Amount) =>
    Object.values(held).reduce((sum: number, one: Amount) => sum + one[unit], 0);
  return {
    ...(bytes !== undefined && { bytes: Math.max(0, bytes - used('bytes')) }),
    ...(objects !== undefined && { objects: Math.max(0, objects - used('objects')) }),
  };
}

type Defaults = Pick<Settings, 'quotaBytes' | 'quotaObjects' | 'maxRunningJobs'>;

type LimitColumns = Pick<ProjectTable, 'quota_bytes' | 'quota_objects' | 'max_running_jobs'>;

/** The project's quota, or else the default of the service; undefined if there is no such project. */
export async function findLimits(db: Db, projectId: string, defaults: Defaults): Promise<Limits | undefined> {
  const row = await db
    .selectFrom('project')
    .select(['quota_bytes', 'quota_objects', 'max_running_jobs'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  return row && limitsOf(row, defaults);
}

/** Reads the limits and locks the project row until the transaction ends. */
export async function lockLimits(tx: Db, projectId: string, defaults: Defaults): Promise<Limits | undefined> {
  const { rows } = await sql<LimitColumns>`
    select quota_bytes, quota_objects, max_running_jobs from project where id = ${projectId} for no key update`.execute(
    tx,
  );
  return rows[0] && limitsOf(rows[0], defaults);
}

function limitsOf(row: LimitColumns, { quotaBytes, quotaObjects, maxRunningJobs }: Defaults): Limits {
  const bytes = row.quota_bytes ?? quotaBytes;
  const objects = row.quota_objects ?? quotaObjects;
  const runningJobs = row.max_running_jobs ?? maxRunningJobs;
  return {
    ...(bytes !== undefined && { bytes }),
    ...(objects !== undefined && { objects }),
    ...(runningJobs !== undefined && { runningJobs }),
  };
}

/** Counts stored blobs; equal content counts once. */
export async function findStored(db: Db, projectId: string): Promise<Amount> {
  const { rows } = await sql<{ bytes: number; objects: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes, coalesce(sum(blobs), 0)::bigint as objects
    from stored where project_id = ${projectId}`.execute(db);
  return rows[0]!;
}

/** Returns an empty amount for an unknown reservation. */
export async function findReserved(db: Db, id: string): Promise<Amount> {
  const row = await db
    .selectFrom('reservation')
    .select(['bytes', 'objects'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? nothing;
}
