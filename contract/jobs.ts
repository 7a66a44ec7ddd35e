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

/** Nothing changes in it any more. */
export const hasEnded = (state: JobState): state is Exclude<JobState, 'queued' | 'running'> =>
  state !== 'queued' && state !== 'running';

/** How often something was noticed, with the first examples of it. */
export const JobWarning = strict({
  code: Type.String({ minLength: 1, maxLength: 100 }),
  message: Type.String({ maxLength: 4000 }),
  count: Type.Integer({ minimum: 1 }),
  examples: Type.Array(FreeForm, { maxItems: 20 }),
});
export type JobWarning = Static<typeof JobWarning>;

const amount = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

export const JobProgress = strict({
  phase: Type.String({ minLength: 1, maxLength: 200 }),
  done: Type.Number(amount),
  total: Type.Number({ ...amount, description: '0: not known' }),
  unit: Type.Optional(
    Type.String({ maxLength: 40, description: 'What done and total count, such as bytes' }),
  ),
  perSecond: Type.Optional(
    Type.Number({ ...amount, description: 'How much of it was done in a second, over the last ten' }),
  ),
  secondsLeft: Type.Optional(
    Type.Number({
      ...amount,
      description:
        'What the whole job will probably still take, where its type foretells that; otherwise what its phase will',
    }),
  ),
});
export type JobProgress = Static<typeof JobProgress>;

export const JobStage = Type.Object({
  name: Type.String(),
  startTime: Timestamp,
  endTime: Type.Optional(Timestamp),
});
export type JobStage = Static<typeof JobStage>;

export const OperationId = Type.String({
  pattern: '^\\d{1,9}-\\d{1,9}$',
  description: 'The number of the attempt and that of the phase in it, such as 1-3',
});

/** One phase of one attempt of a job. */
export const JobOperation = Type.Object({
  _id: OperationId,
  jobId: Id,
  attempt: Type.Integer(),
  number: Type.Integer({ description: 'Counts the phases of the attempt from 1' }),
  name: Type.String(),
  status: Type.Integer({ minimum: 2, maximum: 6, description: 'As that of a job' }),
  state: oneOf(
    ['running', 'succeeded', 'failed', 'aborted', 'timedOut'],
    'aborted is also what its runner was lost in, or shut down',
  ),
  runnerName: Type.String(),
  startTime: Timestamp,
  endTime: Type.Optional(Timestamp),
  done: Type.Number(),
  total: Type.Number({ description: '0: not known' }),
  unit: Type.Optional(Type.String({ description: 'What done and total count, such as bytes' })),
});
export type JobOperation = Static<typeof JobOperation>;

export const jobWaits = [
  'retry',
  'destination',
  'previousJob',
  'noRunner',
  'noRunnerWithLabels',
  'noRunnerForType',
  'projectLimit',
  'otherJobs',
  'freeRunner',
] as const;

/** Why a queued job does not run yet. */
export const JobWait = Type.Object({
  reason: oneOf(
    jobWaits,
    'retry: it failed for the moment · destination: another job publishes to the same place · previousJob: the job of its task before it has not ended · noRunner: none is there · noRunnerWithLabels: none that is there has all its labels · noRunnerForType: none of those knows the job type · projectLimit: as many jobs of its project run as may · otherJobs: others of its project come before it · freeRunner: it is the next of its project',
  ),
  message: Type.String({ description: 'The same for people' }),
  until: Type.Optional({ ...Timestamp, description: 'When it is tried again' }),
  jobId: Type.Optional({ ...Id, description: 'The job before it' }),
  jobsBefore: Type.Optional(
    Type.Integer({ description: 'How many of its project come before it; 1000: that many or more' }),
  ),
});
export type JobWait = Static<typeof JobWait>;

/** What a job has left behind: a file of a bucket, or the datasource it created or updated. */
export const JobOutput = Type.Object({
  type: oneOf(['object', 'datasource']),
  dataBucketId: Type.Optional(Id),
  dataBucketKey: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer({ description: 'In bytes' })),
  sha256: Type.Optional(Type.String({ description: 'In hexadecimal digits' })),
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
  failures: Type.Integer({ description: 'How often it failed for the moment, to be tried again' }),
  nextAttemptAt: Type.Optional({ ...Timestamp, description: 'When it is tried again' }),
  isHeld: Type.Optional(
    Type.Boolean({ description: 'It waits for the end of the job of its task before it' }),
  ),
  timeoutSeconds: Type.Optional(Type.Integer({ description: 'How long an attempt may take' })),
  repeats: Type.Optional({ ...Id, description: 'The job that it runs again' }),
  rejected: Type.Integer({ description: 'How many features were set aside, as they could not be used' }),
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
  waitsFor: Type.Optional({
    ...JobWait,
    description:
      'Of a queued job: why it does not run yet. Lists do not tell, and the ETag knows nothing of it',
  }),
});
export type Job = Static<typeof Job>;

export const logLevels = ['debug', 'info', 'warning', 'error'] as const;

export const JobLogEntry = Type.Object({
  seq: Type.Integer({ description: 'Counts the lines of the job from 1' }),
  at: Timestamp,
  level: oneOf(logLevels),
  message: Type.String(),
  data: Type.Optional(FreeForm),
  attempt: Type.Optional(Type.Integer({ description: 'Absent: before the first' })),
  operation: Type.Optional(OperationId),
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
    errorCode: filter.exact(),
    repeats: filter.exact(),
    hasWarnings: Type.Optional(Type.Boolean()),
    hasRejected: Type.Optional(Type.Boolean({ description: 'Whether features were set aside' })),
    startTime: filter.time(),
    endTime: filter.time(),
    ...stampFilters,
  },
);
export type JobListQuery = Static<typeof JobListQuery>;

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
    summary: 'Delete a job that has ended, with its log; with `outputs` also what it made, else that stays',
    description:
      'With `outputs` the job goes to the trash, and with it the files that still hold what it wrote, and the datasource that it created; not one that it updated or overwrote. That takes editDataBucket and deleteDatasource, too. What is in use is refused with a list, unless `force` is set. All of it goes, or nothing.',
    access: { permission: 'abortJob' },
    query: strict({
      outputs: Type.Optional(Type.Boolean()),
      force: Type.Optional(Type.Boolean({ description: 'Delete also outputs that are in use' })),
    }),
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
});
