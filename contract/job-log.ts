import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { JobLogEntry, JobOperation, JobOutput, logLevels, OperationId } from './jobs.ts';
import { oneOf, page, strict } from './schema.ts';

const seq = { minimum: 0, maximum: 2_147_483_647 };

const filters = {
  level: Type.Optional(
    Type.Array(oneOf(logLevels), { maxItems: 4, description: 'Only these; all when absent' }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only lines with this text in their message, whatever its case',
    }),
  ),
};

const place = {
  after: Type.Integer({ ...seq, default: 0, description: 'Only lines after this one' }),
  before: Type.Optional(
    Type.Integer({
      ...seq,
      description: 'Only lines before this one, the last of them first come by; 2147483647 for the end',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
};

export const JobLogQuery = strict({ ...place, ...filters, operation: Type.Optional(OperationId) });
export type JobLogQuery = Static<typeof JobLogQuery>;

/**
 * One look into a log goes through 5000 lines at most, so there may be more where few or no lines were found: the reply
 * says where to go on.
 */
export const JobLogPage = Type.Object({
  items: Type.Array(JobLogEntry, { description: 'By their number' }),
  nextAfter: Type.Integer({
    description: 'What follows is asked for with this as `after`: there is none as yet where it is `lastSeq`',
  }),
  nextBefore: Type.Optional(
    Type.Integer({
      description: 'What precedes is asked for with this as `before`; absent: this is the beginning',
    }),
  ),
  lastSeq: Type.Integer({ description: 'The number of the last line of the job; 0: there is none' }),
  totals: Type.Object(
    {
      debug: Type.Integer(),
      info: Type.Integer(),
      warning: Type.Integer(),
      error: Type.Integer(),
    },
    {
      description:
        'How many lines the whole job has had at each level, also those that a full log has let go of',
    },
  ),
});
export type JobLogPage = Static<typeof JobLogPage>;

export const JobLogDownloadQuery = strict({
  format: Type.Optional(
    oneOf(['text', 'jsonl'], 'Lines to read, which it is when absent, or a JSON object on each'),
  ),
});

export const JobOperationListQuery = strict({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  page: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
  attempt: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
});
export type JobOperationListQuery = Static<typeof JobOperationListQuery>;

const OutputListQuery = strict({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  page: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
});
export type OutputListQuery = Static<typeof OutputListQuery>;

const tag = 'jobs';
const access = { permission: 'getJob' } as const;
const job = '/project/:projectId/job/:jobId';

export const jobLogEndpoints = endpoints({
  getProjectJobLog: {
    method: 'GET',
    path: `${job}/log`,
    tag,
    summary: 'Read the log of a job: the first lines after `after`, or the last ones before `before`',
    access,
    query: JobLogQuery,
    reply: JobLogPage,
  },
  getProjectJobLogDownload: {
    method: 'GET',
    path: `${job}/log/download`,
    tag,
    summary: 'Download the whole log of a job',
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
    summary: 'List the operations of a job, the phases of all its attempts, the oldest first',
    access,
    query: JobOperationListQuery,
    reply: page(JobOperation),
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
    summary: 'Read the log of an operation, as that of its job',
    access,
    query: strict({ ...place, ...filters }),
    reply: JobLogPage,
  },
  getProjectJobOperationOutputs: {
    method: 'GET',
    path: `${job}/operation/:operationId/outputs`,
    tag,
    summary:
      'List what an operation has left behind: of the one that ended in success, all that the job made',
    access,
    query: OutputListQuery,
    reply: page(JobOutput),
  },
});
