import type { KeepJobs, Project, ProjectListQuery, ProjectSummary } from '@platen/contract/projects';
import type { Page } from '@platen/contract/schema';
import type { Quota } from '@platen/contract/usage';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { jobsFolder } from '../../files/objects/jobs-folder.ts';
import { jobTotal } from '../../jobs/count.ts';
import { bboxFilter, selectPage, exactFilter, textFilter } from '../../base/database/lists.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';
import type { ProjectTable } from '../../base/database/schema.ts';

export type ProjectRow = Selectable<ProjectTable>;

const order = {
  name: 'p.name',
  description: 'p.description',
  ...stampOrder('p'),
};

/** All projects, or those of which the user is a member. */
export function findProjects(
  db: Db,
  query: ProjectListQuery,
  { memberId, onlyId }: { readonly memberId?: string | undefined; readonly onlyId?: string | undefined },
): Promise<Page<Project>> {
  return selectPage(db, {
    from: sql`project p`,
    columns: sql`p.*`,
    heavy: [sql`p.properties`],
    where: [
      exactFilter('p.id', onlyId === undefined ? undefined : [onlyId]),
      sql`p.deleted_at is null`,
      memberId === undefined
        ? undefined
        : sql`exists (select from membership m where m.project_id = p.id and m.user_id = ${memberId})`,
      textFilter('p.name', query.name),
      textFilter('p.description', query.description),
      ...stampConditions('p', query),
      bboxFilter('p.bbox', query.bbox),
    ],
    order,
    tieBreak: 'p.id',
    query,
    fromRow,
  });
}

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const row = await db
    .selectFrom('project')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row && fromRow(row);
}

/** Keeps others from changing the project until the transaction ends; what belongs to it can still be added. */
export async function lockProject(tx: Db, id: string): Promise<Project | undefined> {
  await sql`select from project where id = ${id} for no key update`.execute(tx);
  return findProject(tx, id);
}

interface NewRow extends Omit<Project, 'createdAt' | 'updatedAt' | 'revision' | 'updatedBy'> {
  readonly now: Date;
}

export async function insertProject(db: Db, project: NewRow): Promise<Project> {
  const row = await db
    .insertInto('project')
    .values({
      id: project._id,
      name: project.name,
      description: project.description,
      bbox: project.bbox,
      properties: JSON.stringify(project.properties),
      default_data_bucket_id: project.defaultDataBucketId,
      ...quotaColumns(project.quota),
      ...keepColumns(project.keepJobs),
      base_maps: JSON.stringify(project.baseMaps),
      ...madeBy(project.createdBy, project.now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

interface Change {
  readonly fields: Partial<
    Pick<Project, 'name' | 'description' | 'bbox' | 'properties' | 'quota' | 'keepJobs' | 'baseMaps'>
  >;
  readonly now: Date;
  readonly by: string;
}

/** Call it for a locked project. */
export async function updateProject(db: Db, id: string, { fields, now, by }: Change): Promise<Project> {
  const { properties, quota, keepJobs, baseMaps, ...plain } = fields;
  const row = await db
    .updateTable('project')
    .set({
      ...plain,
      ...(properties && { properties: JSON.stringify(properties) }),
      ...(quota && quotaColumns(quota)),
      ...(keepJobs && keepColumns(keepJobs)),
      ...(baseMaps && { base_maps: JSON.stringify(baseMaps) }),
      ...changedBy(by, now),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

type ContentCounts = Omit<ProjectSummary, `numberOf${string}`>;

export async function countContents(db: Db, projectId: string): Promise<ContentCounts> {
  const { rows } = await sql<ContentCounts>`select
    (select count(*) from membership m join person u on u.id = m.user_id where m.project_id = ${projectId}) as members,
    (select count(*) from data_bucket where project_id = ${projectId}) as "dataBuckets",
    files.objects, files.objects - files."ofJobs" as files, files.bytes,
    (select count(*) from datasource where project_id = ${projectId}) as datasources,
    (select count(*) from task where project_id = ${projectId}) as tasks,
    (${jobTotal({ projectId: [projectId], states: undefined })}) as jobs,
    (select count(*) from module where project_id = ${projectId}) as modules,
    (select count(*) from app where project_id = ${projectId}) as apps,
    (select count(*) from app where project_id = ${projectId} and is_public) as "publicApps",
    (select count(*) from scenario where project_id = ${projectId}) as scenarios,
    (select count(*) from credential where project_id = ${projectId}) as credentials
    from (
      select coalesce(sum(f.objects), 0)::bigint as objects, coalesce(sum(f.bytes), 0)::bigint as bytes,
        coalesce(sum(j.objects), 0)::bigint as "ofJobs"
      from data_bucket b join folder f on f.bucket_id = b.id and f.path = ''
      left join folder j on j.bucket_id = b.id and j.path = ${jobsFolder} where b.project_id = ${projectId}
    ) files`.execute(db);
  return rows[0]!;
}

function quotaColumns({ bytes, objects, runningJobs }: Quota) {
  return {
    quota_bytes: bytes ?? null,
    quota_objects: objects ?? null,
    max_running_jobs: runningJobs ?? null,
  };
}

function keepColumns({ days, perTask }: KeepJobs) {
  return { keep_jobs_days: days ?? null, keep_jobs: perTask ?? null };
}

export function fromRow(row: ProjectRow): Project {
  return {
    ...stampsOf(row),
    name: row.name,
    description: row.description,
    bbox: row.bbox,
    properties: row.properties,
    quota: {
      ...(row.quota_bytes !== null && { bytes: row.quota_bytes }),
      ...(row.quota_objects !== null && { objects: row.quota_objects }),
      ...(row.max_running_jobs !== null && { runningJobs: row.max_running_jobs }),
    },
    keepJobs: {
      ...(row.keep_jobs_days !== null && { days: row.keep_jobs_days }),
      ...(row.keep_jobs !== null && { perTask: row.keep_jobs }),
    },
    baseMaps: row.base_maps,
    defaultDataBucketId: row.default_data_bucket_id,
  };
}
