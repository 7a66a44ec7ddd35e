import type { DatasourceType } from '@platen/contract/datasource-types';
import type { DatasourceFacts } from '@platen/contract/datasource-facts';
import type { SourceProperties } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

/** A datasource as it is in the revision that a bundle holds. */
export interface BundleSource {
  readonly _id: string;
  readonly name: string;
  readonly revision: number;
  readonly type: DatasourceType;
  readonly sourceProperties: SourceProperties;
  readonly bucketId: string | null;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
  readonly typeProperties: FreeForm;
  readonly properties: FreeForm;
  readonly bbox: number[] | null;
  readonly facts: DatasourceFacts | null;
  /** Style for MapLibre, as written by the job that created the tiles. */
  readonly style: unknown;
}

interface Row {
  id: string;
  name: string;
  revision: number;
  type: DatasourceType;
  source_properties: SourceProperties;
  bucket_id: string | null;
  bucket_key: string | null;
  served_folder: string | null;
  type_properties: FreeForm;
  properties: FreeForm;
  bbox: number[] | null;
  facts: DatasourceFacts | null;
  style: unknown;
}

/** Those that are there still, in the order of their ids. */
export async function findSources(
  db: Db,
  projectId: string,
  revisions: ReadonlyMap<string, number>,
): Promise<BundleSource[]> {
  const { rows } = await sql<Row>`
    select d.id, d.name, r.revision, r.type, r.source_properties, r.bucket_id, r.bucket_key, r.served_folder,
      r.type_properties, r.properties, r.bbox, r.facts, r.properties -> 'style' as style
    from unnest(${[...revisions.keys()]}::text[], ${[...revisions.values()]}::int[]) as wanted (id, revision)
    join datasource d on d.id = wanted.id and d.project_id = ${projectId}
    join datasource_revision r on r.datasource_id = d.id and r.revision = wanted.revision
    order by d.id`.execute(db);
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    revision: row.revision,
    type: row.type,
    sourceProperties: row.source_properties,
    bucketId: row.bucket_id,
    bucketKey: row.bucket_key,
    servedFolder: row.served_folder,
    typeProperties: row.type_properties,
    properties: row.properties,
    bbox: row.bbox,
    facts: row.facts,
    style: row.style,
  }));
}

interface FolderFile {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
}

/**
 * Files below the folder of a source, as they are in its revision, after a key: in one statement, as the revision may be
 * replaced at any time.
 */
export async function findFolderFiles(
  db: Db,
  { _id, revision, bucketId, servedFolder }: BundleSource,
  { after, limit }: { after: string; limit: number },
): Promise<FolderFile[]> {
  const folder = servedFolder!;
  const past = sql`coalesce(r.until, ${Number.MAX_SAFE_INTEGER}::bigint)`;
  const { rows } = await sql<{ key: string; size: number; sha256: Buffer; content_type: string }>`
    select o.key, c.size, c.sha256, c.content_type
    from datasource_revision r
    join object o on o.bucket_id = ${bucketId} and o.key > ${folder + after}
      and o.key < ${`${folder.slice(0, -1)}0`}
    cross join lateral (
      select o.size, o.sha256, o.content_type where o.moment < ${past}
      union all (select v.size, v.sha256, v.content_type from object_revision v
        where o.moment >= ${past} and v.object_id = o.id and v.moment < ${past} order by v.revision desc limit 1)) c
    where r.datasource_id = ${_id} and r.revision = ${revision}
    order by o.key limit ${limit}`.execute(db);
  return rows.map(({ key, size, sha256, content_type: contentType }) => ({
    key: key.slice(folder.length),
    size,
    sha256: sha256.toString('hex'),
    contentType,
  }));
}
