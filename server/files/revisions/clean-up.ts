import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../base/context.ts';
import { countAll, type CleanUpOptions, type RemovalCount } from '../../base/removal-count.ts';

const batch = 10_000;
/** Time for readers that have already started. */
const graceMs = 3_600_000;

/**
 * Deletes revisions that are too old or too many, the oldest of each first, and never the current one. Their bytes
 * become unused unless another file shares them.
 * @returns the number of revisions, of files and datasources
 */
export async function cleanUpRevisions(context: Context, options: CleanUpOptions = {}): Promise<number> {
  return (await cleanUpObjects(context, options)) + (await cleanUpDatasources(context, options));
}

function limitsOf({ now, settings }: Pick<Context, 'now' | 'settings'>) {
  const { keepRevisions: kept, keepRevisionsMs } = settings;
  const before = (ms: number) => new Date(now().getTime() - ms);
  return { kept, tooOld: before(Math.max(keepRevisionsMs, graceMs)), replaceable: before(graceMs) };
}

/** Revisions of a file that a release shows under its current key are kept as long as the release. */
const isPinned = sql`exists (
  select from pinned p where p.bucket_id = coalesce(o.bucket_id, t.bucket_id) and r.moment < p.until and r.until >= p.until
    and case when p.served_folder is null
      then coalesce(o.key, t.key) in (p.bucket_key, p.bucket_key || '.thumbnail.png')
      else starts_with(coalesce(o.key, t.key), p.served_folder) end)`;

/** Revisions of files that a clean-up would forget now, with the data bucket of the file. */
export function oldRevisions(context: Pick<Context, 'now' | 'settings'>): RawBuilder<unknown> {
  const { kept, tooOld, replaceable } = limitsOf(context);
  return sql`
    with pinned as materialized (select * from pinned_place)
    select r.project_id, coalesce(o.bucket_id, t.bucket_id) as bucket_id, r.object_id, r.revision, r.size
    from object_revision r left join object o on o.id = r.object_id left join trash_object t on t.id = r.object_id
    where r.replaced_at < ${replaceable}
      and (r.replaced_at < ${tooOld} or r.revision < coalesce(o.revision, t.revision) - ${kept}::int)
      and not ${isPinned}`;
}

async function cleanUpObjects(context: Context, { signal, report }: CleanUpOptions): Promise<number> {
  let removed = 0;
  while (!signal?.aborted) {
    const { rows } = await sql<RemovalCount>`
      with old as (
        select * from (${oldRevisions(context)}) old order by object_id, revision limit ${batch}
      ), gone as (
        delete from object_revision r using old where r.object_id = old.object_id and r.revision = old.revision
        returning old.project_id, old.bucket_id, old.size
      )
      select project_id, bucket_id, count(*) as count, sum(size)::bigint as bytes from gone
      group by project_id, bucket_id`.execute(context.db);
    report?.('revision', rows);
    removed += countAll(rows);
    if (countAll(rows) < batch) break;
  }
  return removed;
}

async function cleanUpDatasources(context: Context, { report }: CleanUpOptions): Promise<number> {
  const { kept, tooOld, replaceable } = limitsOf(context);
  const { rows } = await sql<RemovalCount>`
    with gone as (
      delete from datasource_revision r using datasource d
      where d.id = r.datasource_id and r.revision < d.data_revision and (r.replaced_at < ${tooOld}
        or (r.replaced_at < ${replaceable} and r.revision < d.data_revision - ${kept}::int))
        and not exists (select from pinned_revision p
          where p.datasource_id = r.datasource_id and p.revision = r.revision)
      returning r.project_id
    )
    select project_id, count(*) as count from gone group by project_id`.execute(context.db);
  report?.('revision', rows);
  return countAll(rows);
}
