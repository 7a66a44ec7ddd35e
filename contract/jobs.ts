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
  someOf,
  workFilters,
} from './schema.ts';

/** The states of a job, ordered by their `status` numbers 1 to 6. */
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'aborted', 'timedOut'] as const;
export type JobState = (typeof jobStates)[number];

/** True for final states. */
export const hasEnded = (state: JobState): state is Exclude<JobState, 'queued' | 'running'> =>
  state !== 'queued' && state !== 'running';

/** A warning with its count and first examples. */
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
  total: Type.Number({ ...amount, description: '0 if unknown' }),
  unit: Type.Optional(
    Type.String({ maxLength: 40, description: 'Unit of `done` and `total`, such as bytes' }),
  ),
  perSecond: Type.Optional(
    Type.Number({ ...amount, description: 'Throughput per second, averaged over the last ten seconds' }),
  ),
  secondsLeft: Type.Optional(
    Type.Number({
      ...amount,
      description: 'Estimated remaining time of the job if its type provides it, otherwise of its phase',
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

/** Where the outputs of a job are. */
export const JobOutputs = Type.Object({
  datasourceId: Type.Optional({ ...Id, description: 'The primary datasource' }),
  datasourceIds: Type.Array(Id),
  dataBucketId: Type.Optional(Id),
  dataBucketKey: Type.Optional(
    Type.String({ description: 'The only file, or the folder that contains all files' }),
  ),
});
export type JobOutputs = Static<typeof JobOutputs>;

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
    'retry: waiting for the next attempt after a temporary error · destination: another job is publishing to the same destination · previousJob: the previous job of its task has not ended · noRunner: no runner is online · noRunnerWithLabels: no online runner has all its labels · noRunnerForType: no runner supports the job type · projectLimit: the project has reached its limit of concurrent jobs · otherJobs: other jobs of the project run first · freeRunner: next of its project, waiting for a free runner',
  ),
  message: Type.String({ description: 'Human-readable reason' }),
  until: Type.Optional({ ...Timestamp, description: 'Time of the next attempt' }),
  jobId: Type.Optional({ ...Id, description: 'The previous job' }),
  jobsBefore: Type.Optional(
    Type.Integer({
      description: 'Number of jobs of the project that run before it; 1000 means 1000 or more',
    }),
  ),
});
export type JobWait = Static<typeof JobWait>;

/** An output of a job: a file of a bucket, or a datasource it created or updated. */
export const JobOutput = Type.Object({
  type: oneOf(['object', 'datasource']),
  dataBucketId: Type.Optional(Id),
  dataBucketKey: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer({ description: 'In bytes' })),
  sha256: Type.Optional(Type.String({ description: 'Hexadecimal' })),
  datasourceId: Type.Optional(Id),
  resultKey: Type.Optional(
    Type.String({ description: 'Of a datasource that the job made besides the primary one' }),
  ),
  isUnchanged: Type.Optional(
    Type.Boolean({
      description: 'The datasource keeps its data, as options and inputs are the same as when it was made',
    }),
  ),
});
export type JobOutput = Static<typeof JobOutput>;

/** Files that a job names itself; `GET …/outputs` lists all. */
export const maxOutputsInJob = 100;

/** The size of their JSON if the job has more, so that a response with a job stays below 16 kB. */
export const maxOutputBytesInJob = 8000;

/** All files of a job. */
export const JobOutputFiles = Type.Object({
  dataBucketId: Id,
  folder: Type.String({
    description: 'The folder of the bucket that contains them; ends in `/`, or is empty',
  }),
  count: Type.Integer(),
  bytes: Type.Integer({ description: 'Total size' }),
});
export type JobOutputFiles = Static<typeof JobOutputFiles>;

/** One run of a task, or an inspection of a file. */
export const Job = Type.Object({
  ...stamps,
  projectId: Id,
  taskId: Type.Optional(Type.String({ description: 'Absent if the service created the job' })),
  jobType: Type.String(),
  jobVersion: Type.String(),
  labels: Type.Array(Type.String()),
  tags: Type.Optional({ ...FreeForm, description: 'Those of the task when the job was created' }),
  priority: Type.Integer(),
  debugLevel: Type.Integer(),
  parameters: Type.Optional(FreeForm),
  status: Type.Integer({
    minimum: 1,
    maximum: 6,
    description: '1 pending, 2 running, 3 finished, 4 failed, 5 cancelled, 6 timed out',
  }),
  state: oneOf(jobStates),
  attempt: Type.Integer({ description: 'Number of attempts started' }),
  failures: Type.Integer({ description: 'Number of retries after temporary errors' }),
  nextAttemptAt: Type.Optional({ ...Timestamp, description: 'Time of the next attempt' }),
  isHeld: Type.Optional(Type.Boolean({ description: 'Waits for the previous job of its task to end' })),
  timeoutSeconds: Type.Optional(Type.Integer({ description: 'Time limit of an attempt' })),
  repeats: Type.Optional({ ...Id, description: 'The job that this one reruns' }),
  rejected: Type.Integer({ description: 'Number of rejected features' }),
  abortRequested: Type.Boolean(),
  progress: Type.Optional(JobProgress),
  jobStages: Type.Array(Type.String(), { description: 'The names of `stages`' }),
  stages: Type.Array(JobStage, { description: 'The phases of the latest attempt' }),
  currentJobStage: Type.Optional(Type.String()),
  warnings: Type.Array(JobWarning),
  outputs: { ...JobOutputs, description: 'Where `outputItems` are' },
  outputItems: Type.Array(JobOutput, {
    description: `Datasources, and up to ${maxOutputsInJob} files. If there are more, it has the first of them, at most ${maxOutputsInJob} and ${maxOutputBytesInJob / 1000} kB and without \`sha256\`, and \`GET …/outputs\` lists all`,
  }),
  outputFiles: Type.Optional(JobOutputFiles),
  report: Type.Optional(FreeForm),
  errorCode: Type.Optional(Type.String()),
  errorMessage: Type.Optional(Type.String()),
  startTime: Type.Optional(Timestamp),
  endTime: Type.Optional(Timestamp),
  waitsFor: Type.Optional({
    ...JobWait,
    description: 'Why a queued job is waiting; not part of the ETag',
  }),
});
export type Job = Static<typeof Job>;

export const OperationId = Type.String({
  pattern: '^\\d{1,9}-\\d{1,9}$',
  description: 'Attempt number and phase number, such as 1-3',
});

export const logLevels = ['debug', 'info', 'warning', 'error'] as const;

export const JobLogEntry = Type.Object({
  seq: Type.Integer({ description: 'Number of the line within the job, from 1' }),
  at: Timestamp,
  level: oneOf(logLevels),
  message: Type.String(),
  data: Type.Optional(FreeForm),
  attempt: Type.Optional(Type.Integer({ description: 'Absent before the first phase' })),
  operation: Type.Optional(OperationId),
});
export type JobLogEntry = Static<typeof JobLogEntry>;

export const JobListQuery = listQuery(
  ['startTime', 'endTime', 'priority', 'jobType', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    taskId: filter.exact(),
    state: someOf(oneOf(jobStates), 6),
    status: someOf(Type.Integer({ minimum: 1, maximum: 6 }), 6),
    ...workFilters,
    errorCode: filter.exact(),
    repeats: filter.exact(),
    hasWarnings: Type.Optional(Type.Boolean()),
    hasRejected: Type.Optional(Type.Boolean({ description: 'Whether the job rejected features' })),
    startTime: filter.time(),
    endTime: filter.time(),
    ...stampFilters,
  },
);
export type JobListQuery = Static<typeof JobListQuery>;

export const OutputListQuery = strict({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  page: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
});
export type OutputListQuery = Static<typeof OutputListQuery>;

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
  getProjectJobOutputs: {
    method: 'GET',
    path: '/project/:projectId/job/:jobId/outputs',
    tag,
    summary: 'List all outputs of a job: its files by key, then its datasources',
    access: { permission: 'getJob' },
    query: OutputListQuery,
    reply: page(JobOutput),
  },
  deleteProjectJob: {
    method: 'DELETE',
    path: '/project/:projectId/job/:jobId',
    tag,
    summary: 'Delete an ended job with its log; with `outputs` also its outputs',
    description:
      'With `outputs`, the job moves to the trash together with the files whose content it wrote last and the datasources it created, but not those it updated or overwrote. This also requires editDataBucket and deleteDatasource. If outputs are in use, the request is refused with a list unless `force` is set. Either everything is deleted or nothing.',
    access: { permission: 'abortJob' },
    query: strict({
      outputs: Type.Optional(Type.Boolean()),
      force: Type.Optional(Type.Boolean({ description: 'Also delete outputs that are in use' })),
    }),
    reply: Deleted,
    errors: ['precondition_failed', 'conflict'],
  },
  putProjectJobAbort: {
    method: 'PUT',
    path: '/project/:projectId/job/:jobId/abort',
    tag,
    summary: 'Cancel a job: immediately if queued, within seconds if running',
    access: { permission: 'abortJob' },
    reply: Job,
    status: 201,
    errors: ['conflict'],
  },
});
