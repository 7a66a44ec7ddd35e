import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Id } from './schema.ts';

const limit = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

/** How much a project may hold, and do at once. What is absent is as the service is set up, mostly without limit. */
export const Quota = Type.Object(
  {
    bytes: limit('Of all files, their old revisions and the trash'),
    objects: limit('How many of these there may be'),
    runningJobs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many jobs may run at once' }),
    ),
  },
  { additionalProperties: false },
);
export type Quota = Static<typeof Quota>;

const Amount = Type.Object({ bytes: Type.Integer(), objects: Type.Integer() });

const amount = (description: string) => Type.Object(Amount.properties, { description });
const current = amount('Files as they are');
const reserved = amount('Set aside for uploads and jobs under way');

/** What of a project's quota is used, and by what. Equal files count each, though their bytes are stored once. */
export const Usage = Type.Object({
  current,
  revisions: amount('Older versions of files'),
  trash: amount('Deleted files that can still be restored'),
  jobFiles: amount('What jobs keep beside their outputs, such as what they could not use'),
  pictures: amount('Pictures that were uploaded for apps'),
  reserved,
  blobs: amount('What is really stored, equal bytes once; what is removed leaves it after an hour or two'),
  quota: Type.Object(Quota.properties, { description: 'In force: of the project, else of the service' }),
  left: Type.Object(
    { bytes: Quota.properties.bytes, objects: Quota.properties.objects },
    { description: 'Absent where there is no quota' },
  ),
  dataBuckets: Type.Array(Type.Object({ dataBucketId: Id, name: Type.String(), current, reserved })),
});
export type Usage = Static<typeof Usage>;

export const usageEndpoints = endpoints({
  getProjectUsage: {
    method: 'GET',
    path: '/project/:projectId/usage',
    tag: 'projects',
    summary: 'Tell how much a project stores, where, and how much it may',
    access: { permission: 'getProject' },
    reply: Usage,
  },
});
