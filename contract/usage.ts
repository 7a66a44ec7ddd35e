import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Id } from './schema.ts';

const limit = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

/**
 * Limits of a project for storage and concurrency. Absent fields use the settings of the service, mostly unlimited.
 */
export const Quota = Type.Object(
  {
    bytes: limit('Total size of all files, their older revisions and the trash'),
    objects: limit('Maximum number of files'),
    runningJobs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Maximum number of concurrent jobs' }),
    ),
  },
  { additionalProperties: false },
);
export type Quota = Static<typeof Quota>;

const Amount = Type.Object({ bytes: Type.Integer(), objects: Type.Integer() });

const amount = (description: string) => Type.Object(Amount.properties, { description });
const current = amount('Current files');
const reserved = amount('Reserved for running uploads and jobs');

/** The used share of a quota by kind. Equal files count individually, though their bytes are stored once. */
export const Usage = Type.Object({
  current,
  revisions: amount('Older revisions of files'),
  trash: amount('Deleted files that can still be restored'),
  jobFiles: amount('Additional files of jobs, such as rejected features'),
  pictures: amount('Uploaded preview images of apps'),
  reserved,
  blobs: amount(
    'Bytes actually stored, equal content counted once; removed content is subtracted after an hour or two',
  ),
  quota: Type.Object(Quota.properties, {
    description: 'Effective quota: of the project, else of the service',
  }),
  left: Type.Object(
    { bytes: Quota.properties.bytes, objects: Quota.properties.objects },
    { description: 'Absent without a quota' },
  ),
  dataBuckets: Type.Array(Type.Object({ dataBucketId: Id, name: Type.String(), current, reserved })),
});
export type Usage = Static<typeof Usage>;

export const usageEndpoints = endpoints({
  getProjectUsage: {
    method: 'GET',
    path: '/project/:projectId/usage',
    tag: 'projects',
    summary: 'Get the storage usage and quota of a project',
    access: { permission: 'getProject' },
    reply: Usage,
  },
});
