import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { JobLogEntry, JobOutputs, logLevels, OperationId } from './jobs.ts';
import { JobOperation, OperationSet } from './job-operations.ts';
import { filter, oneOf, paging, someOf, strict } from './schema.ts';

const seq = { minimum: 0, maximum: 2_147_483_647 };

const filters = {
  level: someOf(oneOf(logLevels), 4, 'Only these levels; default: all'),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only lines whose message contains this text; case-insensitive',
    }),
  ),
};

const place = {
  after: Type.Integer({ ...seq, default: 0, description: 'Only lines after this number' }),
  before: Type.Optional(
    Type.Integer({
      ...seq,
      description: 'Only lines before this number, in pages from the end; 2147483647 for the end of the log',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
};

export const JobLogQuery = strict({ ...place, ...filters, operation: Type.Optional(OperationId) });
export type JobLogQuery = Static<typeof JobLogQuery>;

/**
 * One request scans at most 5000 lines, so a page with few or no lines need not be the last; the reply has the
 * position to continue from.
 */
export const JobLogPage = Type.Object({
  items: Type.Array(JobLogEntry, { description: 'Ordered by number' }),
  nextAfter: Type.Integer({
    description: 'Pass as `after` to get the following lines; equals `lastSeq` if there are none yet',
  }),
  nextBefore: Type.Optional(
    Type.Integer({
      description: 'Pass as `before` to get the preceding lines; absent at the beginning of the log',
    }),
  ),
  lastSeq: Type.Integer({ description: 'Number of the last line of the job; 0 if there are none' }),
  totals: Type.Object(
    {
      debug: Type.Integer(),
      info: Type.Integer(),
      warning: Type.Integer(),
      error: Type.Integer(),
    },
    {
      description: 'Number of lines of the job at each level, including those dropped from a full log',
    },
  ),
});
export type JobLogPage = Static<typeof JobLogPage>;

export const JobLogDownloadQuery = strict({
  format: Type.Optional(oneOf(['text', 'jsonl'], 'Plain text (default), or one JSON object per line')),
});

const operationFilters = {
  limit: { ...paging.limit, default: 1000 },
  page: paging.page,
  status: someOf(Type.Integer({ minimum: 1, maximum: 6 }), 6),
  operationSetId: filter.exact(),
};

/** The reply is a plain list, so a page with fewer items than `limit` is the last one. */
export const JobOperationListQuery = strict({
  ...operationFilters,
  attempt: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  operationSetStage: filter.exact(),
  operationType: filter.exact(),
});
export type JobOperationListQuery = Static<typeof JobOperationListQuery>;

export const OperationSetListQuery = strict({ ...operationFilters, jobStage: filter.exact() });
export type OperationSetListQuery = Static<typeof OperationSetListQuery>;

const tag = 'jobs';
const access = { permission: 'getJob' } as const;
const job = '/project/:projectId/job/:jobId';

export const jobLogEndpoints = endpoints({
  getProjectJobLog: {
    method: 'GET',
    path: `${job}/log`,
    tag,
    summary: 'Get lines of the log of a job: the first after `after`, or the last before `before`',
    access,
    query: JobLogQuery,
    reply: JobLogPage,
  },
  getProjectJobLogDownload: {
    method: 'GET',
    path: `${job}/log/download`,
    tag,
    summary: 'Download the full log of a job',
    access,
    query: JobLogDownloadQuery,
    download: true,
  },
});

export const jobOperationEndpoints = endpoints({
  getProjectJobOperations: {
    method: 'GET',
    path: `${job}/operations`,
    tag,
    summary: 'List the operations of a job (the phases of all its attempts), oldest first',
    access,
    query: JobOperationListQuery,
    reply: Type.Array(JobOperation),
  },
  getProjectJobOperationSets: {
    method: 'GET',
    path: `${job}/operation-sets`,
    tag,
    summary: 'List the operation sets of a job, oldest first: each operation is one of its own',
    access,
    query: OperationSetListQuery,
    reply: Type.Array(OperationSet),
  },
  getProjectJobOperation: {
    method: 'GET',
    path: `${job}/operation/:operationId`,
    tag,
    summary: 'Get an operation of a job',
    access,
    reply: JobOperation,
  },
  getProjectJobOperationLog: {
    method: 'GET',
    path: `${job}/operation/:operationId/log`,
    tag,
    summary: 'Download the log of an operation as plain text',
    description: '`GET …/log` returns its lines as JSON in pages, with `operation`.',
    access,
    download: true,
    mediaType: 'text/plain',
  },
  getProjectJobOperationOutputs: {
    method: 'GET',
    path: `${job}/operation/:operationId/outputs`,
    tag,
    summary: 'Get the outputs of an operation; the last one of a successful job has all outputs of the job',
    access,
    reply: JobOutputs,
  },
});
