import type { DatasourceType } from '@platen/contract/datasource-types';
import type { SourceProperties } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { fileOf, type ObjectFile, type ObjectRow } from '../objects/store.ts';

/** A revision of the data that a datasource serves or has served. */
export interface PinnedRevision {
  readonly revision: number;
  readonly type: DatasourceType;
  readonly typeProperties: FreeForm;
  readonly sourceProperties: SourceProperties;
  readonly properties: FreeForm;
  readonly bbox: number[] | null;
  readonly bucketId: string | null;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
  /** Names of the file before it was renamed. */
  readonly formerNames: readonly string[];
  /** The time at which the next revision replaced it, for `findFileAsOf`; undefined for the current revision. */
  readonly until: number | undefined;
  /** When that was. */
  readonly replacedAt: Date | undefined;
  /** When an upload last became part of it, as others may within minutes; undefined: none can any more. */
  readonly lastUploadAt: Date | undefined;
}

/** One revision of a datasource, as long as it is kept. */
export async function findDatasourceRevision(
  db: Db,
  datasourceId: string,
  revision: number,
): Promise<PinnedRevision | undefined> {
  const row = await db
    .selectFrom('datasource_revision as r')
    .innerJoin('datasource as d', 'd.id', 'r.datasource_id')
    .select(['r.revision', 'r.type', 'r.type_properties', 'r.source_properties', 'r.properties', 'r.bbox'])
    .select(['r.bucket_id', 'r.bucket_key', 'r.served_folder', 'r.former_names'])
    .select(['r.cause', 'r.until', 'r.replaced_at', 'd.data_updated_at'])
    .where('r.datasource_id', '=', datasourceId)
    .where('r.revision', '=', revision)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    revision: row.revision,
    type: row.type as DatasourceType,
    typeProperties: row.type_properties,
    sourceProperties: row.source_properties as unknown as SourceProperties,
    properties: row.properties,
    bbox: row.bbox,
    bucketId: row.bucket_id,
    bucketKey: row.bucket_key,
    servedFolder: row.served_folder,
    formerNames: row.former_names,
    until: row.until ?? undefined,
    replacedAt: row.replaced_at ?? undefined,
    lastUploadAt: row.until === null && row.cause === 'files' ? row.data_updated_at : undefined,
  };
}

interface FileMoment {
  readonly bucketId: string;
  readonly key: string;
  /** The `until` of a revision; undefined means now. */
  readonly at: number | undefined;
}

/**
 * The content of the file of this key right before a time. undefined if the file was added later, if that content has
 * been cleaned up, or if the file was deleted, which removes it from all revisions at once. Files read as of one time
 * include all changes of an earlier transaction, and none of a later one.
 */
export async function findFileAsOf(
  db: Db,
  { bucketId, key, at }: FileMoment,
): Promise<ObjectFile | undefined> {
  const limit = at ?? Number.MAX_SAFE_INTEGER;
  const { rows } = await sql<ObjectRow>`
    select o.id, o.bucket_id, o.key, o.created_at, o.created_by, c.* from object o, lateral (
      select o.blob_id, o.size, o.sha256, o.content_type, coalesce(o.content_at, o.created_at) as updated_at,
        coalesce(o.content_by, o.created_by) as updated_by where o.moment < ${limit}
      union all (select r.blob_id, r.size, r.sha256, r.content_type, r.created_at, r.created_by
        from object_revision r where o.moment >= ${limit} and r.object_id = o.id and r.moment < ${limit}
          and r.until >= ${limit})) c
    where o.bucket_id = ${bucketId} and o.key = ${key}`.execute(db);
  const [row] = rows;
  return row && fileOf(row);
}
