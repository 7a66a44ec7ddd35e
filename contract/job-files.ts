import { Type, type Static } from 'typebox';
import { Datasource } from './datasources.ts';
import { endpoints } from './endpoint.ts';
import { Id, Name, strict, Timestamp } from './schema.ts';

/** What a job may have of them, whichever attempts sent them. */
export const longestJobFileBytes = 512 * 1024 * 1024;
export const mostJobFiles = 20;

/** What a job could not use, as GeoJSON. */
export const rejectsFile = 'rejects.geojson';

/** What lay in the scratch folder at the end of the last attempt, of a job with the debug level 2. */
export const scratchFile = 'scratch.tar.gz';

const FileName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$',
  description: 'Letters, digits, `.`, `_` and `-`',
});

/** A file that belongs to a job and to no data bucket; it goes with the job. */
export const JobFile = Type.Object({
  name: FileName,
  size: Type.Integer({ description: 'In bytes' }),
  sha256: Type.String(),
  contentType: Type.String(),
  attempt: Type.Integer({ description: 'The attempt that sent it' }),
  createdAt: Timestamp,
});
export type JobFile = Static<typeof JobFile>;

const place = '/project/:projectId/job/:jobId';

export const jobFileEndpoints = endpoints({
  getProjectJobFiles: {
    method: 'GET',
    path: `${place}/files`,
    tag: 'jobs',
    summary: 'List the files that a job has left behind beside its outputs, by name',
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
    errors: ['range_not_satisfiable'],
  },
  getProjectJobRejects: {
    method: 'GET',
    path: `${place}/rejects`,
    tag: 'jobs',
    summary: 'Download the features that a job could not use, as GeoJSON',
    description:
      'Of at most 10,000 features, and 64 MiB of them; `rejected` in it tells how many there are in all. The property `platenReject` of each tells why and where it stands.',
    access: { permission: 'getJob' },
    download: true,
    errors: ['range_not_satisfiable'],
  },
  postProjectJobRejectsDatasource: {
    method: 'POST',
    path: `${place}/rejects/datasource`,
    tag: 'jobs',
    summary: 'Make a datasource of the features that a job could not use, so that a map shows them',
    description:
      'Puts them into a data bucket as `<folder>/rejects.geojson`, which also needs `getJob`, `getDataBucket` and `uploadToDataBucket`.',
    access: { permission: 'createDatasource' },
    body: strict({
      name: Type.Optional({ ...Name, description: 'Of the datasource' }),
      dataBucketId: Type.Optional({ ...Id, description: 'The default one of the project when absent' }),
      prefix: Type.Optional(
        Type.String({ maxLength: 1024, description: 'The folder; `.jobs/<jobId>` when absent' }),
      ),
    }),
    reply: Datasource,
    status: 201,
    errors: ['conflict', 'unusable_reference', 'storage_full'],
  },
});

/** Apart from the others because only here plain bytes are understood. */
export const runnerFileEndpoints = endpoints({
  putRunnerJobFile: {
    method: 'PUT',
    path: '/runner/job/:jobId/file',
    tag: 'runner',
    summary: 'Keep a file with the job, whatever its end will be; one of the same name is replaced',
    description: 'At most 512 MiB each, and 20 of a job. Send it before the end of the job is told.',
    access: 'job',
    query: strict({
      name: FileName,
      rejected: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          description: 'The file tells of so many features that could not be used',
        }),
      ),
    }),
    bodyKind: 'bytes',
    reply: Type.Object({ size: Type.Integer(), sha256: Type.String() }),
    errors: ['conflict', 'too_large', 'storage_full'],
  },
});
