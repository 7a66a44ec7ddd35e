import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Schedule } from './schedules.ts';
import { filter, FreeForm, Id, listQuery, oneOf, page, Timestamp, someOf, strict } from './schema.ts';
import { Task } from './tasks.ts';

export const cleanupKinds = [
  'trash',
  'revision',
  'upload',
  'draft',
  'job',
  'inspection',
  'report',
  'reservation',
  'token',
  'capability',
  'visit',
  'idempotencyKey',
  'enrolmentToken',
  'passwordReset',
  'auditEntry',
  'runner',
  'loginFailure',
  'blob',
  'orphan',
] as const;
export type CleanupKind = (typeof cleanupKinds)[number];

const kind = oneOf(
  cleanupKinds,
  'trash: expired items in the trash · revision: older revisions of files and datasources · upload: abandoned resumable uploads · draft: bytes of uploads that no longer exist · job: ended jobs with their logs and files · inspection: ended inspections of files · report: inspection reports of deleted contents · reservation: quota reservations of requests that died · runner: runners not seen for 90 days, embedded runners for 1 day · blob: contents no longer in use · orphan: bytes without a database row · visit: ended visits of share links',
);

/** The items of one kind that one clean-up removed from a project. */
export const Cleanup = Type.Object({
  _id: Id,
  at: Timestamp,
  projectId: Type.Optional({ ...Id, description: 'Absent if it belonged to no project' }),
  kind,
  count: Type.Integer(),
  bytes: Type.Integer({
    description:
      'Sizes of the removed items. Contents of the trash and of revisions free disk space an hour later, when they are counted once more as blob, unless a file shares them',
  }),
  detail: { ...FreeForm, description: 'dataBuckets: the same, by data bucket' },
});
export type Cleanup = Static<typeof Cleanup>;

export const CleanupListQuery = listQuery(['at', 'kind', 'count', 'bytes'], {
  at: filter.time(),
  projectId: filter.exact(),
  kind: someOf(oneOf(cleanupKinds), cleanupKinds.length),
});
export type CleanupListQuery = Static<typeof CleanupListQuery>;

const Amount = Type.Object({ bytes: Type.Integer(), objects: Type.Integer() });

/** Current and past clean-ups of a data bucket; without a bucket, unreferenced bytes of the project. */
export const DataBucketCleanup = Type.Object({
  projectId: Id,
  projectName: Type.String(),
  dataBucketId: Type.Optional(Id),
  dataBucketName: Type.Optional(Type.String({ description: 'Absent if it was deleted' })),
  removable: Type.Object(Amount.properties, { description: 'What a clean-up would remove now' }),
  last: Type.Optional(
    Type.Object(
      { at: Timestamp, ...Amount.properties },
      { description: 'What the last clean-up that removed anything here removed' },
    ),
  ),
});
export type DataBucketCleanup = Static<typeof DataBucketCleanup>;

export const DataBucketCleanupListQuery = listQuery(['bytes', 'projectName'], {
  projectId: filter.exact(),
});
export type DataBucketCleanupListQuery = Static<typeof DataBucketCleanupListQuery>;

/** The clean-up in the form of a task. */
export const CleanupTask = Type.Object({ ...Task.properties, parameters: FreeForm });
export type CleanupTask = Static<typeof CleanupTask>;

const tag = 'admin';

export const cleanupEndpoints = endpoints({
  getAdminCleanups: {
    method: 'GET',
    path: '/admin/cleanups',
    tag,
    summary: 'List what clean-ups have removed, newest first',
    access: 'admin',
    query: CleanupListQuery,
    reply: page(Cleanup),
  },
  getAdminDataBucketCleanup: {
    method: 'GET',
    path: '/admin/data-bucket-cleanup',
    tag,
    summary:
      'Get what a clean-up would remove in each data bucket and what the last one removed; nothing is removed',
    access: 'admin',
    query: DataBucketCleanupListQuery,
    reply: page(DataBucketCleanup),
  },
  postAdminCleanup: {
    method: 'POST',
    path: '/admin/cleanup',
    tag,
    summary: 'Run the hourly clean-up now and return what was removed',
    description:
      'Bytes without a database row are left to the hourly clean-up, which checks twice. Returns 409 while another clean-up is running.',
    access: 'superUser',
    reply: Type.Object({ items: Type.Array(Cleanup) }),
    errors: ['conflict'],
  },
  getAdminRunDataBucketCleanup: {
    method: 'GET',
    path: '/admin/run-data-bucket-cleanup',
    tag,
    summary: 'Run the hourly clean-up now, as POST /admin/cleanup does',
    description: 'The reply describes the clean-up like a task, which it is not.',
    access: 'superUser',
    reply: CleanupTask,
    errors: ['conflict'],
  },
  putAdminDataBucketCleanupTask: {
    method: 'PUT',
    path: '/admin/data-bucket-cleanup-task',
    tag,
    summary: 'Get the schedule of the clean-up, which always runs every hour',
    description: 'The body is a schedule of the type cron. It is checked, but it changes nothing.',
    access: 'superUser',
    body: Schedule,
    reply: CleanupTask,
  },
  getAdminLegacyDatasourceCleanup: {
    method: 'GET',
    path: '/admin/legacy-datasource-cleanup',
    tag,
    summary: 'List the files of datasources of earlier systems: there never are any',
    access: 'admin',
    reply: Type.Array(Type.Object({ entry: Type.String(), lastModified: Timestamp })),
  },
  putAdminLegacyDatasourceCleanup: {
    method: 'PUT',
    path: '/admin/legacy-datasource-cleanup',
    tag,
    summary: 'Delete files of datasources of earlier systems; entries that do not exist are ignored',
    access: 'superUser',
    body: strict({ entries: Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 10_000 }) }),
    bodyLimit: 'freeForm',
    status: 202,
  },
});
