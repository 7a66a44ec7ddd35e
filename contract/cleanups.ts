import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { filter, FreeForm, Id, listQuery, oneOf, page, Timestamp } from './schema.ts';

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
  'runner',
  'loginFailure',
  'blob',
  'orphan',
] as const;
export type CleanupKind = (typeof cleanupKinds)[number];

const kind = oneOf(
  cleanupKinds,
  'trash: items whose time was over · revision: older contents of files and datasources · upload: that nobody went on with · draft: its bytes, where they belonged to none · job: ended, with log and files · inspection: of a file, ended · report: what one told of a content that is gone · reservation: of room, for a request that died · runner: not heard of for 90 days, or for a day where it stood beside a service · blob: bytes that nobody needed any more · orphan: bytes that no row named · visit: of a share link, over',
);

/** What one clean-up has removed of one kind, in one project. */
export const Cleanup = Type.Object({
  _id: Id,
  at: Timestamp,
  projectId: Type.Optional({ ...Id, description: 'Absent where it belonged to no project' }),
  kind,
  count: Type.Integer(),
  bytes: Type.Integer({
    description:
      'Sizes of what was removed. Contents of the trash and of revisions free the disk an hour later, when they are told once more as a blob, unless a file shares them',
  }),
  detail: { ...FreeForm, description: 'dataBuckets: the same by data bucket' },
});
export type Cleanup = Static<typeof Cleanup>;

export const CleanupListQuery = listQuery(['at', 'kind', 'count', 'bytes'], {
  at: filter.time(),
  projectId: filter.exact(),
  kind: Type.Optional(Type.Array(oneOf(cleanupKinds), { maxItems: cleanupKinds.length })),
});
export type CleanupListQuery = Static<typeof CleanupListQuery>;

const Amount = Type.Object({ bytes: Type.Integer(), objects: Type.Integer() });

/** What is, and was, cleaned up in a data bucket; without one, bytes of the project that nothing needs. */
export const DataBucketCleanup = Type.Object({
  projectId: Id,
  projectName: Type.String(),
  dataBucketId: Type.Optional(Id),
  dataBucketName: Type.Optional(Type.String({ description: 'Absent: it has been deleted' })),
  removable: Type.Object(Amount.properties, { description: 'What a clean-up would remove now' }),
  last: Type.Optional(
    Type.Object(
      { at: Timestamp, ...Amount.properties },
      { description: 'What the last clean-up that removed something here did remove' },
    ),
  ),
});
export type DataBucketCleanup = Static<typeof DataBucketCleanup>;

export const DataBucketCleanupListQuery = listQuery(['bytes', 'projectName'], {
  projectId: filter.exact(),
});
export type DataBucketCleanupListQuery = Static<typeof DataBucketCleanupListQuery>;

const tag = 'admin';

export const cleanupEndpoints = endpoints({
  getAdminCleanups: {
    method: 'GET',
    path: '/admin/cleanups',
    tag,
    summary: 'List what clean-ups have removed, the latest first',
    access: 'admin',
    query: CleanupListQuery,
    reply: page(Cleanup),
  },
  getAdminDataBucketCleanup: {
    method: 'GET',
    path: '/admin/data-bucket-cleanup',
    tag,
    summary:
      'Tell what a clean-up would remove now in each data bucket, and what the last one did; nothing is removed',
    access: 'admin',
    query: DataBucketCleanupListQuery,
    reply: page(DataBucketCleanup),
  },
  postAdminCleanup: {
    method: 'POST',
    path: '/admin/cleanup',
    tag,
    summary: 'Clean up now, as the service does every hour, and tell what was removed',
    description:
      'Bytes that no row names are left to the hourly clean-up, which looks twice. Answers 409 while another clean-up runs.',
    access: 'superUser',
    reply: Type.Object({ items: Type.Array(Cleanup) }),
    errors: ['conflict'],
  },
});
