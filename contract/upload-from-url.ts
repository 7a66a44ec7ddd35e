import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Job } from './jobs.ts';
import { ObjectKey } from './objects.ts';
import { strict } from './schema.ts';

export const UploadFromUrl = strict({
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'A public https address' }),
  key: Type.Optional(ObjectKey),
  overwrite: Type.Optional(Type.Boolean({ description: 'Replace a file of the same key' })),
});
export type UploadFromUrl = Static<typeof UploadFromUrl>;

export const uploadFromUrlEndpoints = endpoints({
  postProjectDataBucketUploadFromUrl: {
    method: 'POST',
    path: '/project/:projectId/data-bucket/:dataBucketId/upload-from-url',
    tag: 'files',
    summary: 'Fetch a file from the web into a data bucket with a job',
    description:
      'Without a key, or with one that ends in /, the file gets the name given by its server. The job belongs to a task of type platenFetchUrl; give it a schedule to keep the copy up to date.',
    access: { permission: 'uploadToDataBucket' },
    body: UploadFromUrl,
    reply: Job,
    status: 201,
    errors: ['conflict', 'unusable_reference'],
  },
});
