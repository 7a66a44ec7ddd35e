import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import {
  Deleted,
  filter,
  FreeForm,
  Id,
  listQuery,
  oneOf,
  page,
  stampFilters,
  stamps,
  strict,
  Timestamp,
} from './schema.ts';

/** The states of a job, in the order of the numbers that `status` uses for them: 1 to 6. */
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'aborted', 'timedOut'] as const;
export type JobState = (typeof jobStates)[number];

/** How often something was noticed, with the first examples of it. */
export const JobWarning = strict({
  code: Type.String({ minLength: 1, maxLength: 100 }),
  message: Type.String({ maxLength: 4000 }),
  count: Type.Integer({ minimum: 1 }),
  examples: Type.Array(FreeForm, { maxItems: 20 }),
});
export type JobWarning = Static<typeof JobWarning>;

export const JobProgress = strict({
  phase: Type.String({ minLength: 1, maxLength: 200 }),
  done: Type.Number({ minimum: 0 }),
  total: Type.Number({ minimum: 0, description: '0: not known' }),
  secondsLeft: Type.Optional(
    Type.Number({ minimum: 0, description: 'What the whole job will probably still take' }),
  ),
});
export type JobProgress = Static<typeof JobProgress>;

export const JobStage = Type.Object({
  name: Type.String(),
  startTime: Timestamp,
  endTime: Type.Optional(Timestamp),
});
export type JobStage = Static<typeof JobStage>;

/** What a job has left behind: a file of a bucket, or the datasource it created or updated. */
export const JobOutput = Type.Object({
  type: oneOf(['object', 'datasource']),
  dataBucketId: Type.Optional(Id),
  dataBucketKey: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer({ description: 'In bytes' })),
  datasourceId: Type.Optional(Id),
});
export type JobOutput = Static<typeof JobOutput>;

/** One run of a task, or an inspection of a file. */
export const Job = Type.Object({
  ...stamps,
  projectId: Id,
  taskId: Type.Optional(Type.String({ description: 'Absent: the service asked for it by itself' })),
  jobType: Type.String(),
  jobVersion: Type.String(),
  labels: Type.Array(Type.String()),
  priority: Type.Integer(),
  debugLevel: Type.Integer(),
  parameters: Type.Optional(FreeForm),
  status: Type.Integer({
    minimum: 1,
    maximum: 6,
    description: '1 pending, 2 running, 3 finished, 4 failed, 5 cancelled, 6 timed out',
  }),
  state: oneOf(jobStates),
  attempt: Type.Integer({ description: 'How often a runner has taken it' }),
  abortRequested: Type.Boolean(),
  progress: Type.Optional(JobProgress),
  jobStages: Type.Array(JobStage),
  currentJobStage: Type.Optional(Type.String()),
  warnings: Type.Array(JobWarning),
  outputs: Type.Array(JobOutput),
  report: Type.Optional(FreeForm),
  errorCode: Type.Optional(Type.String()),
  errorMessage: Type.Optional(Type.String()),
  startTime: Type.Optional(Timestamp),
  endTime: Type.Optional(Timestamp),
});
export type Job = Static<typeof Job>;

export const logLevels = ['debug', 'info', 'warning', 'error'] as const;

export const JobLogEntry = Type.Object({
  seq: Type.Integer({ description: 'Counts the lines of the job from 1' }),
  at: Timestamp,
  level: oneOf(logLevels),
  message: Type.String(),
  data: Type.Optional(FreeForm),
});
export type JobLogEntry = Static<typeof JobLogEntry>;

export const JobListQuery = listQuery(
  ['startTime', 'endTime', 'priority', 'jobType', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    taskId: filter.exact(),
    state: Type.Optional(Type.Array(oneOf(jobStates), { maxItems: 6 })),
    status: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 6 }), { maxItems: 6 })),
    jobType: filter.exact(),
    label: filter.exact(),
    startTime: filter.time(),
    endTime: filter.time(),
    ...stampFilters,
  },
);
export type JobListQuery = Static<typeof JobListQuery>;

export const JobLogQuery = strict({
  after: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
});
export type JobLogQuery = Static<typeof JobLogQuery>;

const tag = 'jobs';

export const jobEndpoints = endpoints({
  getProjectJobs: {
    method: 'GET',
    path: '/project/:projectId/jobs',
    tag,
    summary: 'List the jobs of a project',
    access: { permission: 'getJob' },
    query: JobListQuery,
    reply: page(Job),
    errors: ['too_large'],
  },
  getProjectJob: {
    method: 'GET',
    path: '/project/:projectId/job/:jobId',
    tag,
    summary: 'Get a job',
    access: { permission: 'getJob' },
    reply: Job,
  },
  deleteProjectJob: {
    method: 'DELETE',
    path: '/project/:projectId/job/:jobId',
    tag,
    summary: 'Delete a job that has ended, with its log; what it made stays',
    access: { permission: 'abortJob' },
    reply: Deleted,
    errors: ['precondition_failed', 'conflict'],
  },
  putProjectJobAbort: {
    method: 'PUT',
    path: '/project/:projectId/job/:jobId/abort',
    tag,
    summary: 'Stop a job: at once while it is queued, within seconds while it runs',
    access: { permission: 'abortJob' },
    reply: Job,
    status: 201,
    errors: ['conflict'],
  },
  getProjectJobLog: {
    method: 'GET',
    path: '/project/:projectId/job/:jobId/log',
    tag,
    summary: 'Read the log of a job from the line after `after` on',
    access: { permission: 'getJob' },
    query: JobLogQuery,
    reply: Type.Object({ items: Type.Array(JobLogEntry) }),
  },
});
