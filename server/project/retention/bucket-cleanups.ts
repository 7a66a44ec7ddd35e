import type { DataBucketCleanup, DataBucketCleanupListQuery } from '@platen/contract/cleanups';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { exactFilter, selectPage } from '../../base/database/lists.ts';
import { unneededBlobs } from './sweep.ts';
import { oldRevisions } from '../../files/revisions/clean-up.ts';
import { trashLimit } from '../trash/empty.ts';

interface Row {
  project_id: string;
  project_name: string;
  bucket_id: string;
  bucket_name: string | null;
  bytes: number;
  objects: number;
  last_at: Date | null;
  last_bytes: number;
  last_objects: number;
}

/** The files that a clean-up of each data bucket would remove now, and the last clean-up that removed any. */
export function findDataBucketCleanups(
  context: Context,
  query: DataBucketCleanupListQuery,
): Promise<Page<DataBucketCleanup>> {
  const now = context.now();
  // '' stands for what belongs to no bucket
  const from = sql`(
    select coalesce(r.project_id, l.project_id) as project_id, coalesce(r.bucket_id, l.bucket_id) as bucket_id,
      coalesce(r.project_id, l.project_id) || ' ' || coalesce(r.bucket_id, l.bucket_id) as id,
      coalesce(r.bytes, 0) as bytes, coalesce(r.objects, 0) as objects, l.at as last_at, l.bytes as last_bytes,
      l.objects as last_objects
    from (
      select project_id, coalesce(bucket_id, '') as bucket_id, sum(size)::bigint as bytes, count(*) as objects from (
        select project_id, bucket_id, size from (${oldRevisions(context)}) r
        union all
        select o.project_id, o.bucket_id, o.size from trash_object o join trash_entry e on e.id = o.entry_id
          where e.is_emptied or e.deleted_at < ${trashLimit(context)}
        union all
        select project_id, bucket_id, received from upload
          where expires_at < ${now} and finished_at is null and (writing_until is null or writing_until < now())
        union all
        select project_id, '', size from (${unneededBlobs(context)}) b
      ) parts group by 1, 2
    ) r full join (
      select distinct on (project_id, bucket_id) project_id, bucket_id, at, sum(bytes)::bigint as bytes,
        sum(count)::bigint as objects
      from (
        select project_id, at, '' as bucket_id, bytes, count from cleanup where kind = 'blob'
        union all
        select c.project_id, c.at, part ->> 'dataBucketId', (part ->> 'bytes')::bigint, (part ->> 'count')::bigint
        from cleanup c, json_array_elements(c.detail -> 'dataBuckets') part where c.detail -> 'dataBuckets' is not null
      ) done group by project_id, bucket_id, at order by project_id, bucket_id, at desc
    ) l on l.project_id = r.project_id and l.bucket_id = r.bucket_id
  ) c join project p on p.id = c.project_id left join data_bucket b on b.id = c.bucket_id`;
  return selectPage<Row, DataBucketCleanup>(context.db, {
    from,
    columns: sql`c.*, p.name as project_name, b.name as bucket_name`,
    where: [exactFilter('c.project_id', query.projectId)],
    order: { createdAt: 'c.bytes', bytes: 'c.bytes', projectName: 'p.name' },
    tieBreak: 'c.id',
    query,
    fromRow,
  });
}

function fromRow(row: Row): DataBucketCleanup {
  return {
    projectId: row.project_id,
    projectName: row.project_name,
    ...(row.bucket_id !== '' && { dataBucketId: row.bucket_id }),
    ...(row.bucket_name !== null && { dataBucketName: row.bucket_name }),
    removable: { bytes: row.bytes, objects: row.objects },
    ...(row.last_at && {
      last: { at: row.last_at.toISOString(), bytes: row.last_bytes, objects: row.last_objects },
    }),
  };
}
