import type {
  DatasourceRevision,
  ObjectRevision,
  ObjectRevisionListQuery,
  RevisionListQuery,
} from '@platen/contract/revisions';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage } from '../../base/database/lists.ts';
import { nothing, type Amount } from '../usage/store.ts';
import type { ObjectRevisionTable } from '../../base/database/schema.ts';

const order = { revision: 'revision', createdAt: 'revision' };

type ObjectRow = Omit<ObjectRevisionTable, 'replaced_at' | 'replaced_by'> & {
  replaced_at: Date | null;
  replaced_by: string | null;
};

const columns = sql.raw(
  'revision, size, sha256, content_type, created_at, created_by, replaced_at, replaced_by',
);

export function findObjectRevisions(
  db: Db,
  objectId: string,
  query: ObjectRevisionListQuery,
): Promise<Page<ObjectRevision>> {
  return selectPage(db, {
    from: sql`(select ${columns} from object_revision where object_id = ${objectId} union all
      select revision, size, sha256, content_type, coalesce(content_at, created_at), coalesce(content_by, created_by),
        null, null from object where id = ${objectId}) r`,
    columns: sql`*`,
    where: [],
    order,
    tieBreak: 'revision',
    query,
    fromRow: (row: ObjectRow) => ({
      revision: row.revision,
      isCurrent: row.replaced_at === null,
      size: row.size,
      sha256: row.sha256.toString('hex'),
      contentType: row.content_type,
      createdAt: row.created_at.toISOString(),
      createdBy: row.created_by,
      ...(row.replaced_at && { replacedAt: row.replaced_at.toISOString() }),
      ...(row.replaced_by !== null && { replacedBy: row.replaced_by }),
    }),
  });
}

/** The additional bytes after a file gets this content again; 0 if it already has it. */
export async function measureContent(
  db: Db,
  { bucketId, key, revision }: { bucketId: string; key: string; revision: number },
): Promise<Amount> {
  const { rows } = await sql<Amount>`
    select r.size as bytes, 1::bigint as objects from object o join object_revision r on r.object_id = o.id
    where o.bucket_id = ${bucketId} and o.key = ${key} and r.revision = ${revision} and r.sha256 <> o.sha256`.execute(
    db,
  );
  return rows[0] ?? nothing;
}

/** Restores an earlier content of a file; false if it is no longer kept. A trigger keeps the current content. */
export async function restoreContent(
  tx: Db,
  { objectId, revision, by, now }: { objectId: string; revision: number; by: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update object o set blob_id = r.blob_id, size = r.size, sha256 = r.sha256, content_type = r.content_type,
      updated_at = ${now}, updated_by = ${by}
    from object_revision r where r.object_id = ${objectId} and r.revision = ${revision} and o.id = r.object_id`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

interface DatasourceRow {
  revision: number;
  cause: DatasourceRevision['cause'];
  type: string;
  type_properties: DatasourceRevision['typeProperties'];
  source_properties: DatasourceRevision['sourceProperties'];
  properties: DatasourceRevision['properties'];
  bbox: number[] | null;
  job_id: string | null;
  until: number | null;
  created_at: Date;
  created_by: string;
  replaced_at: Date | null;
}

/** Without the lineage, which has an endpoint of its own. */
const datasourceColumns = `r.revision, r.cause, r.type, r.type_properties, r.source_properties, r.properties, r.bbox,
  r.job_id, r.until, r.created_at, r.created_by, r.replaced_at`;

export function findDatasourceRevisions(
  db: Db,
  datasourceId: string,
  query: RevisionListQuery,
): Promise<Page<DatasourceRevision>> {
  return selectPage(db, {
    from: sql`datasource_revision r`,
    columns: sql.raw(datasourceColumns),
    heavy: [sql`r.type_properties`, sql`r.source_properties`, sql`r.properties`],
    where: [sql`r.datasource_id = ${datasourceId}`],
    order,
    tieBreak: 'revision',
    query,
    fromRow: (row: DatasourceRow) => ({
      revision: row.revision,
      isCurrent: row.until === null,
      cause: row.cause,
      type: row.type,
      typeProperties: row.type_properties,
      sourceProperties: row.source_properties,
      properties: row.properties,
      ...(row.bbox && { bbox: row.bbox }),
      ...(row.job_id !== null && { jobId: row.job_id }),
      createdAt: row.created_at.toISOString(),
      createdBy: row.created_by,
      ...(row.replaced_at && { replacedAt: row.replaced_at.toISOString() }),
    }),
  });
}

interface NewRevision {
  readonly cause: DatasourceRevision['cause'];
  readonly jobId?: string | undefined;
  readonly now: Date;
  readonly by: string;
}

/** Call it for a datasource that is as it will be served from now on. */
export async function addDatasourceRevision(
  tx: Db,
  datasourceId: string,
  { cause, jobId, now, by }: NewRevision,
): Promise<void> {
  await sql`select add_datasource_revision(${datasourceId}::text, ${cause}::text, ${jobId ?? null}::text,
    ${now}::timestamptz, ${by}::text)`.execute(tx);
}

/**
 * Updates the description of the current revision after a change of the description only. If a release pins that
 * revision, it stays unchanged and a new revision is created. The datasource must be locked.
 */
export async function describeDatasourceRevision(
  tx: Db,
  datasourceId: string,
  { now, by }: Pick<NewRevision, 'now' | 'by'>,
): Promise<void> {
  const current = sql`d.id = ${datasourceId} and r.datasource_id = d.id and r.revision = d.data_revision`;
  await sql`
    update datasource_revision r set type_properties = d.type_properties, properties = d.properties, bbox = d.bbox,
      facts = d.facts
    from datasource d where ${current} and not exists (
      select from pinned_revision p where p.datasource_id = r.datasource_id and p.revision = r.revision)`.execute(
    tx,
  );
  const { rows } = await sql<{ revision: number }>`
    select r.revision from datasource d, datasource_revision r where ${current}
      and (r.type_properties::text, r.properties::text, r.bbox)
        is distinct from (d.type_properties::text, d.properties::text, d.bbox)`.execute(tx);
  const [former] = rows;
  if (!former) return;
  await addDatasourceRevision(tx, datasourceId, { cause: 'changed', now, by });
  await copyLineage(tx, datasourceId, former.revision);
}

/** Gives the current revision the lineage of an earlier one, whose data it has. */
export async function copyLineage(tx: Db, datasourceId: string, from: number): Promise<void> {
  await sql`
    update datasource_revision r set lineage = former.lineage from datasource d, datasource_revision former
    where d.id = ${datasourceId} and r.datasource_id = d.id and r.revision = d.data_revision
      and former.datasource_id = d.id and former.revision = ${from}`.execute(tx);
}
