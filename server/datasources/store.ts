import type { DatasourceFacts } from '@platen/contract/datasource-facts';
import type { DatasourceType } from '@platen/contract/datasource-types';
import {
  maxJobIds,
  type Datasource,
  type DatasourceListQuery,
  type SourceProperties,
} from '@platen/contract/datasources';
import type { FreeForm, Page } from '@platen/contract/schema';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { bboxFilter, exactFilter, selectPage, textFilter, timeFilter } from '../base/database/lists.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../base/database/stamps.ts';
import { addDatasourceRevision, describeDatasourceRevision } from '../files/revisions/store.ts';
import { addressOf, type AddressableDatasource } from './address.ts';
import type { DatasourceTable } from '../base/database/schema.ts';

type Row = Selectable<DatasourceTable>;

const order = {
  name: 'd.name',
  description: 'd.description',
  type: 'd.type',
  dataUpdatedAt: 'd.data_updated_at',
  dataUpdatedBy: 'd.data_updated_by',
  ...stampOrder('d'),
};

/** Addresses in the result are paths of this service. */
export function findDatasources(
  db: Db,
  projectId: string,
  query: DatasourceListQuery,
): Promise<Page<Datasource>> {
  return selectPage(db, {
    from: sql`datasource d`,
    columns: sql`d.*`,
    where: [
      sql`d.project_id = ${projectId}`,
      textFilter('d.name', query.name),
      textFilter('d.description', query.description),
      exactFilter('d.type', query.type),
      ...stampConditions('d', query),
      timeFilter('dataUpdatedAt', 'd.data_updated_at', query.dataUpdatedAt),
      exactFilter('d.data_updated_by', query.dataUpdatedBy),
      exactFilter('d.bucket_id', query.dataBucketId),
      uriFilter(query.uri),
      bboxFilter('d.bbox', query.bbox),
    ],
    order,
    tieBreak: 'd.id',
    query,
    heavy: [sql`d.type_properties`, sql`d.source_properties`, sql`d.properties`],
    fromRow,
  });
}

/** Of an internal source, the address names the datasource. */
function uriFilter(uri: string | undefined): RawBuilder<unknown> | undefined {
  if (uri === undefined) return undefined;
  const id = /\/data\/([^/?#]+)/.exec(uri)?.[1] ?? '';
  return sql`case when d.source_properties ->> 'type' = 'external'
    then d.source_properties ->> 'url' = ${uri} else d.id = ${id} end`;
}

/** undefined also if the datasource belongs to another project. */
export async function findDatasource(db: Db, projectId: string, id: string): Promise<Datasource | undefined> {
  const row = await ofProject(db, projectId).where('id', '=', id).executeTakeFirst();
  return row && fromRow(row);
}

/** Those of the ids that exist in the project, by id. */
export async function findDatasourcesById(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Datasource>> {
  if (ids.length === 0) return new Map();
  const rows = await ofProject(db, projectId)
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

function ofProject(db: Db, projectId: string) {
  return db.selectFrom('datasource').selectAll().where('project_id', '=', projectId);
}

/** Location of the data of a datasource; nulls for an external source. */
export interface DataLocation {
  readonly sourceProperties: SourceProperties;
  readonly bucketId: string | null;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
}

/** The primary datasource of a further result, and what identifies it among the results. */
export interface ResultOf {
  readonly primaryId: string;
  readonly key: string;
}

export interface NewDatasourceRow extends DataLocation {
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly type: DatasourceType;
  readonly typeProperties: FreeForm;
  readonly bbox: number[] | undefined;
  readonly properties: FreeForm;
  readonly jobIds: readonly string[];
  /** Of a further result of a job. */
  readonly primary?: ResultOf | undefined;
  readonly by: string;
  readonly now: Date;
}

/** Inserts a datasource with the first revision of its data. Must be called in a transaction. */
export async function insertDatasource(db: Db, datasource: NewDatasourceRow): Promise<Datasource> {
  const { by, now } = datasource;
  const row = await db
    .insertInto('datasource')
    .values({
      id: datasource._id,
      project_id: datasource.projectId,
      name: datasource.name,
      description: datasource.description,
      type: datasource.type,
      type_properties: JSON.stringify(datasource.typeProperties),
      ...locationColumns(datasource),
      ask_at: firstAsked(datasource, now),
      bbox: datasource.bbox ?? null,
      facts: null,
      properties: JSON.stringify(datasource.properties),
      job_ids: [...datasource.jobIds],
      primary_id: datasource.primary?.primaryId ?? null,
      result_key: datasource.primary?.key ?? null,
      publish_task_ids: [],
      data_updated_at: now,
      data_updated_by: by,
      ...madeBy(by, now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const [jobId] = datasource.jobIds;
  await addDatasourceRevision(db, row.id, { cause: jobId === undefined ? 'created' : 'job', jobId, now, by });
  return fromRow(row);
}

export interface DatasourceUpdate {
  readonly fields: Partial<
    Pick<Datasource, 'name' | 'description' | 'type' | 'typeProperties' | 'properties'> & {
      bbox: Datasource['bbox'] | null;
      facts: DatasourceFacts | null;
    }
  >;
  /** New data. It makes a revision with time and user; so does changing fields of a revision that a release pins. */
  readonly location?: DataLocation;
  /** Cause of the new data; by default the job, or else 'changed'. */
  readonly cause?: 'restored';
  /** The job that made the data; it is added to the earlier ones, of which the latest are kept. */
  readonly jobId?: string;
  readonly now: Date;
  readonly by: string;
  readonly ifMatch?: number | undefined;
}

/** undefined if there is no such datasource, or it is not at that revision. Must be called in a transaction. */
export async function updateDatasource(
  db: Db,
  id: string,
  { fields, location, cause, jobId, now, by, ifMatch }: DatasourceUpdate,
): Promise<Datasource | undefined> {
  const { typeProperties, properties, facts, ...plain } = fields;
  const row = await db
    .updateTable('datasource')
    .set({
      ...plain,
      ...(typeProperties && { type_properties: JSON.stringify(typeProperties) }),
      ...(properties && { properties: JSON.stringify(properties) }),
      ...(facts !== undefined && { facts: facts && JSON.stringify(facts) }),
      ...(location && { ...locationColumns(location), ask_at: firstAsked(location, now) }),
      ...(jobId !== undefined && { job_ids: withJob(jobId) }),
      ...changedBy(by, now),
    })
    .where('id', '=', id)
    .$if(ifMatch !== undefined, (query) => query.where('revision', '=', ifMatch!))
    .returning('project_id')
    .executeTakeFirst();
  if (!row) return undefined;
  if (location) {
    const made = cause ?? (jobId === undefined ? 'changed' : 'job');
    await addDatasourceRevision(db, id, { cause: made, jobId, now, by });
  } else {
    await describeDatasourceRevision(db, id, { now, by });
  }
  return findDatasource(db, row.project_id, id);
}

/** Takes it out of the modules that use it, whose own JSON stays as it is. */
export async function deleteDatasource(db: Db, id: string): Promise<number> {
  await db.deleteFrom('module_datasource').where('datasource_id', '=', id).execute();
  const { numDeletedRows } = await db.deleteFrom('datasource').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows);
}

const withJob = (jobId: string) =>
  sql<string[]>`(array_append(job_ids, ${jobId}))[cardinality(job_ids) + 2 - ${sql.lit(maxJobIds)}:]`;

function locationColumns({ sourceProperties, bucketId, bucketKey, servedFolder }: DataLocation) {
  return {
    source_properties: JSON.stringify(sourceProperties),
    bucket_id: bucketId,
    bucket_key: bucketKey,
    served_folder: servedFolder,
    former_names: [],
  };
}

const minuteMs = 60_000;

/** Who registers an address asks it at once. If that does not succeed, it is asked then. */
function firstAsked({ sourceProperties }: DataLocation, now: Date): Date | null {
  return sourceProperties.type === 'external' ? new Date(now.getTime() + minuteMs) : null;
}

function addressed(row: Row): AddressableDatasource & DataLocation {
  return {
    _id: row.id,
    type: row.type as DatasourceType,
    sourceProperties: row.source_properties as unknown as SourceProperties,
    bucketId: row.bucket_id,
    bucketKey: row.bucket_key,
    servedFolder: row.served_folder,
  };
}

function fromRow(row: Row): Datasource {
  const { type, sourceProperties, ...place } = addressed(row);
  return {
    ...stampsOf(row),
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    type,
    typeProperties: row.type_properties,
    sourceProperties,
    uri: addressOf({ type, sourceProperties, ...place }),
    ...(row.bbox && { bbox: row.bbox }),
    ...(row.facts && { facts: row.facts }),
    properties: row.properties,
    jobIds: row.job_ids,
    publishTaskIds: row.publish_task_ids,
    ...(row.primary_id !== null && { primaryDatasourceId: row.primary_id }),
    ...(row.result_key !== null && { resultKey: row.result_key }),
    dataRevision: row.data_revision,
    dataUpdatedAt: row.data_updated_at.toISOString(),
    dataUpdatedBy: row.data_updated_by,
  };
}
