import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

/** What is told of a datasource that is in the way of a deletion. */
export interface DatasourceName {
  readonly _id: string;
  readonly name: string;
}

export async function findDatasourcesOfBucket(
  db: Db,
  projectId: string,
  bucketId: string,
): Promise<DatasourceName[]> {
  return db
    .selectFrom('datasource')
    .select(['id as _id', 'name'])
    .where('project_id', '=', projectId)
    .where('bucket_id', '=', bucketId)
    .orderBy('id')
    .limit(100)
    .execute();
}

/** Datasources that serve the file of this key, by itself or within their folder; for a folder, those that serve of it. */
export async function findDatasourcesOfKey(
  db: Db,
  bucketId: string,
  key: string,
  isFolder: boolean,
): Promise<DatasourceName[]> {
  const folder = key === '' || key.endsWith('/') ? key : `${key}/`;
  const within = isFolder ? sql<boolean>`starts_with(bucket_key, ${folder})` : sql<boolean>`false`;
  const { rows } = await sql<DatasourceName>`
    select id as _id, name from datasource
    where bucket_id = ${bucketId} and (bucket_key = ${key} or ${within}
      or (served_folder is not null and starts_with(${key}, served_folder)))
    order by id limit 100`.execute(db);
  return rows;
}
