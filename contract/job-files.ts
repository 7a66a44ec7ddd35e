import { Type, type Static } from 'typebox';
import { Datasource } from './datasources.ts';
import { endpoints } from './endpoint.ts';
import { Id, Name, strict, Timestamp } from './schema.ts';

/** Total size of the files of a job, over all attempts. */
export const maxJobFileBytes = 512 * 1024 * 1024;
export const maxJobFiles = 20;

/** Name of the GeoJSON file with rejected features. */
export const rejectsFile = 'rejects.geojson';

/** Name of the archived scratch folder of the last attempt, kept at debug level 2. */
export const scratchFile = 'scratch.tar.gz';

const FileName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$',
  description: 'Letters, digits, `.`, `_` and `-`',
});

/** A file of a job outside all data buckets; it is deleted with the job. */
export const JobFile = Type.Object({
  name: FileName,
  size: Type.Integer({ description: 'In bytes' }),
  sha256: Type.String(),
  contentType: Type.String(),
  attempt: Type.Integer({ description: 'The attempt that uploaded the file' }),
  createdAt: Timestamp,
});
export type JobFile = Static<typeof JobFile>;

const place = '/project/:projectId/job/:jobId';

export const jobFileEndpoints = endpoints({
  getProjectJobFiles: {
    method: 'GET',
    path: `${place}/files`,
    tag: 'jobs',
    summary: 'List the additional files of a job, by name',
    access: { permission: 'getJob' },
    reply: Type.Object({ items: Type.Array(JobFile) }),
  },
  getProjectJobFile: {
    method: 'GET',
    path: `${place}/file`,
    tag: 'jobs',
    summary: 'Download a file of a job',
    access: { permission: 'getJob' },
    query: strict({ name: FileName }),
    download: true,
    isExport: true,
    errors: ['range_not_satisfiable'],
  },
  getProjectJobRejects: {
    method: 'GET',
    path: `${place}/rejects`,
    tag: 'jobs',
    summary: 'Download the rejected features of a job as GeoJSON',
    description:
      'At most 10,000 features and 64 MiB; `rejected` is the total number. The property `platenReject` of each feature gives the reason and its position in the input.',
    access: { permission: 'getJob' },
    download: true,
    isExport: true,
    errors: ['range_not_satisfiable'],
  },
  postProjectJobRejectsDatasource: {
    method: 'POST',
    path: `${place}/rejects/datasource`,
    tag: 'jobs',
    summary: 'Create a datasource from the rejected features of a job',
    description:
      'Stores them in a data bucket as `<folder>/rejects.geojson`. Also requires `getJob`, `getDataBucket` and `uploadToDataBucket`.',
    access: { permission: 'createDatasource' },
    body: strict({
      name: Type.Optional({ ...Name, description: 'Name of the datasource' }),
      dataBucketId: Type.Optional({ ...Id, description: 'Default: the default data bucket of the project' }),
      prefix: Type.Optional(
        Type.String({ maxLength: 1024, description: 'Folder; default `.jobs/<task name>-<job ID>`' }),
      ),
    }),
    reply: Datasource,
    status: 201,
    errors: ['conflict', 'unusable_reference', 'storage_full'],
  },
});

/** A separate table, since only this scope of the server parses plain bytes. */
export const runnerFileEndpoints = endpoints({
  putRunnerJobFile: {
    method: 'PUT',
    path: '/runner/job/:jobId/file',
    tag: 'runner',
    summary: 'Store a file with the job, whatever its outcome; replaces a file of the same name',
    description:
      'At most 512 MiB per file and 20 files per job. Send files before reporting the end of the job.',
    access: 'job',
    query: strict({
      name: FileName,
      rejected: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          description: 'Number of rejected features in the file',
        }),
      ),
    }),
    bodyKind: 'bytes',
    reply: Type.Object({ size: Type.Integer(), sha256: Type.String() }),
    errors: ['conflict', 'too_large', 'storage_full'],
  },
});
