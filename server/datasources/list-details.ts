import type { Datasource, ListedDatasource } from '@platen/contract/datasources';
import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import { maySee, type Caller } from '../base/caller.ts';
import { isPubliclyReadable } from './serving/read-scope.ts';
import { ofDatasource } from '../files/used-by/in-use.ts';
import { numberOfUses } from '../files/used-by/uses.ts';

interface Row {
  readonly id: string;
  readonly is_public: boolean;
  readonly number_of_uses: number;
  /** null: its data bucket is gone. */
  readonly bucket_created_by: string | null;
  /** Size of the file or folder in bytes; null if it no longer exists. */
  readonly size: number | null;
}

/** Adds visibility, number of uses and size to listed datasources, as far as the caller may read them one by one. */
export async function withDetails(
  { db, now }: Context,
  caller: Caller,
  items: readonly Datasource[],
): Promise<ListedDatasource[]> {
  const rows = await findDetails(
    db,
    items.map(({ _id }) => _id),
    now(),
  );
  return items.map((item) => {
    const row = rows.get(item._id);
    return row ? Object.assign({}, item, ofData(caller, item, row), ofFile(caller, item, row)) : item;
  });
}

function ofData(caller: Caller, { createdBy }: Datasource, row: Row): Partial<ListedDatasource> {
  if (!maySee(caller, 'getDatasource', createdBy)) return {};
  return { isPublic: row.is_public, numberOfUses: row.number_of_uses };
}

function ofFile(caller: Caller, { sourceProperties }: Datasource, row: Row): Partial<ListedDatasource> {
  const isSeen = maySee(caller, 'getDataBucket', row.bucket_created_by ?? '');
  if (sourceProperties.type === 'external' || !isSeen) return {};
  return row.size === null ? { isFileMissing: true } : { isFileMissing: false, size: row.size };
}

/** Reads the details of any number of datasources in one statement. */
async function findDetails(db: Db, ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Row>> {
  const { rows } = await sql<Row>`
    select d.id, ${isPubliclyReadable(now)} as is_public, ${numberOfUses(ofDatasource(sql.ref('d.id')))} as number_of_uses,
      b.created_by as bucket_created_by, coalesce(o.size, f.bytes) as size
    from datasource d
    left join data_bucket b on b.id = d.bucket_id
    left join object o on o.bucket_id = d.bucket_id and o.key = d.bucket_key
      and d.source_properties ->> 'dataBucketKey' not like '%/'
    left join folder f on f.bucket_id = d.bucket_id and f.path = d.bucket_key || '/' and f.objects > 0
    where d.id = any(${[...ids]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
