import type { ListedObject, UsedIn } from '@platen/contract/object-info';
import type { StoredObject } from '@platen/contract/objects';
import { sql } from 'kysely';
import type { BucketPath } from '../buckets/operations.ts';
import type { Db } from '../../base/database/database.ts';
import { inspectionsOf } from './inspections.ts';
import { placesOf } from './key-range.ts';

/** Adds the inspection and the number of uses to a page of files, in two queries. */
export async function withDetails(
  db: Db,
  { projectId, dataBucketId }: BucketPath,
  items: readonly StoredObject[],
): Promise<ListedObject[]> {
  const files = items.flatMap(({ key, sha256 }) => (sha256 === undefined ? [] : [{ key, sha256 }]));
  const keys = items.map(({ key }) => key);
  const [inspections, uses] = await Promise.all([
    inspectionsOf(db, projectId, files),
    countUses(db, { projectId, dataBucketId }, keys),
  ]);
  return items.map((item) => {
    const inspection = item.type === 'file' ? inspections.get(item.key) : undefined;
    return { ...item, ...(inspection && { inspection }), usedIn: uses.get(item.key) ?? none };
  });
}

const none: UsedIn = { datasources: 0, tasks: 0, apps: 0 };

/** Counts by the same rules by which `used-by/edges.ts` lists the uses of one file. */
async function countUses(
  db: Db,
  { projectId, dataBucketId }: BucketPath,
  keys: readonly string[],
): Promise<ReadonlyMap<string, UsedIn>> {
  const pairs = keys.flatMap((key) => placesOf(key).map((place) => [key, place] as const));
  const { rows } = await sql<UsedIn & { key: string }>`
    with wanted as materialized (
      select * from unnest(${pairs.map(([key]) => key)}::text[], ${pairs.map(([, place]) => place)}::text[])
        as w (key, place)
    ), source as materialized (
      select w.key, d.id from datasource d join wanted w
        on d.served_folder = w.place or d.bucket_key = w.place
          or (w.place = w.key and right(w.key, 1) = '/' and starts_with(d.bucket_key, w.key))
      where d.project_id = ${projectId} and d.bucket_id = ${dataBucketId}
    ), used as (
      select key, 'datasource' as type, id from source
      union
      select w.key, 'task', r.task_id from task_reference r join wanted w
        on r.bucket_key = rtrim(w.place, '/')
          or (w.place = w.key and right(w.key, 1) = '/' and starts_with(r.bucket_key, w.key))
      where r.project_id = ${projectId} and r.bucket_id = ${dataBucketId} and r.role in ('input', 'output')
      union
      select s.key, 'app', am.app_id from source s
        join module_datasource md on md.datasource_id = s.id join app_module am on am.module_id = md.module_id
    )
    select key, count(*) filter (where type = 'datasource') as datasources,
      count(*) filter (where type = 'task') as tasks, count(*) filter (where type = 'app') as apps
    from used group by key`.execute(db);
  return new Map(rows.map(({ key, datasources, tasks, apps }) => [key, { datasources, tasks, apps }]));
}
