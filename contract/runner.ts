import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { JobCompletion, JobFailureReport, JobWarnings } from './job-end.ts';
import { JobProgress, jobStates, logLevels } from './jobs.ts';
import { maxPhases } from './max-phases.ts';
import { FreeForm, Id, oneOf, strict, Timestamp } from './schema.ts';

/** Lease of a claim without a heartbeat; runners send one every third of it. */
export const leaseMs = 15_000;
export const heartbeatMs = 5_000;
export const maxClaimSeconds = 25;

/** An input of a claimed job. Folders are fetched member by member, URLs by the runner itself. */
export const ClaimedInput = Type.Object({
  kind: oneOf(['file', 'folder', 'external']),
  name: Type.String({ description: 'Display name' }),
  size: Type.Integer({ description: 'Size in bytes; for a folder, of all its members' }),
  sha256: Type.Optional(Type.String({ description: 'SHA-256 of a file' })),
  url: Type.Optional(Type.String({ description: 'Web address' })),
  layer: Type.Optional(Type.String()),
  crs: Type.Optional(Type.String()),
  encoding: Type.Optional(Type.String()),
});
export type ClaimedInput = Static<typeof ClaimedInput>;

const FormerRun = Type.Object(
  {
    fingerprint: Type.String(),
    recipe: Type.Optional(
      Type.String({ description: 'Hash of its options and of the version of its job type; only with files' }),
    ),
    files: Type.Array(
      Type.Object({
        ...ClaimedInput.properties,
        resultKey: Type.Optional(Type.String({ description: 'Only of a further datasource' })),
      }),
      {
        description:
          'If the run left a manifest: this first, then the data of its datasources, the primary one first. They are read like inputs, with the indexes after those of `inputs`',
      },
    ),
  },
  { description: 'The run that made the data of the datasource to update, if the job may keep that data' },
);
type FormerRun = Static<typeof FormerRun>;
export type FormerFile = FormerRun['files'][number];

export const ClaimedJob = Type.Object({
  jobId: Id,
  /** Fencing number: a holder with an older number may no longer act for the job. */
  attempt: Type.Integer(),
  token: Type.String({ description: 'Valid only for this attempt, its inputs and its outputs' }),
  jobType: Type.String(),
  debugLevel: Type.Integer(),
  options: FreeForm,
  inputs: Type.Array(ClaimedInput),
  former: Type.Optional(FormerRun),
  leaseUntil: Timestamp,
  fetchLimit: Type.Optional(
    Type.Object(
      {
        bytes: Type.Integer({ minimum: 0 }),
        message: Type.String({ description: 'Failure to report if there are more' }),
      },
      {
        description:
          'Maximum number of bytes to fetch from the web, if they are all stored and the project has a quota',
      },
    ),
  ),
  timeoutSeconds: Type.Integer({ description: 'Remaining time limit of the attempt' }),
});
export type ClaimedJob = Static<typeof ClaimedJob>;

const phaseNumber = { minimum: 0, maximum: maxPhases };
const amount = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const secondsAgo = { minimum: 0, maximum: 100_000_000 };

/** Times are relative (seconds ago), since the clocks of runners may be wrong. */
export const RunnerPhase = strict({
  n: Type.Integer({
    ...phaseNumber,
    minimum: 1,
    description: 'Number of the phase within this attempt, from 1',
  }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  done: Type.Number(amount),
  total: Type.Number(amount),
  unit: Type.Optional(Type.String({ maxLength: 40 })),
  startedSecondsAgo: Type.Number(secondsAgo),
  endedSecondsAgo: Type.Optional(
    Type.Number({ ...secondsAgo, description: 'Absent while the phase is running' }),
  ),
});
export type RunnerPhase = Static<typeof RunnerPhase>;

export const RunnerLogEntry = strict({
  at: Timestamp,
  level: oneOf(logLevels),
  message: Type.String({ maxLength: 10_000 }),
  data: Type.Optional(FreeForm),
  operation: Type.Optional(
    Type.Integer({ ...phaseNumber, description: 'Number of the phase; absent outside of phases' }),
  ),
});
export type RunnerLogEntry = Static<typeof RunnerLogEntry>;

export const RunnerProgress = strict({
  progress: JobProgress,
  /** Phases that began, progressed or ended since the last report. Absent: only `progress.phase` progressed. */
  phases: Type.Optional(Type.Array(RunnerPhase, { minItems: 1, maxItems: maxPhases })),
  /** All warnings so far; absent: none since the last report. */
  warnings: Type.Optional(JobWarnings),
});
export type RunnerProgress = Static<typeof RunnerProgress>;

const JobEnd = Type.Object({ state: oneOf(jobStates) });

const tag = 'runner';
const place = '/runner/job/:jobId';

const SharedPath = Type.String({
  description: 'Path on the disk shared with the service; for embedded runners only',
});

/** A file of a folder input. */
export const InputMember = Type.Object({
  name: Type.String({ description: 'Path within the folder' }),
  size: Type.Integer({ description: 'In bytes' }),
  sha256: Type.String(),
  path: Type.Optional(SharedPath),
});
export type InputMember = Static<typeof InputMember>;

export const runnerEndpoints = endpoints({
  postRunnerClaim: {
    method: 'POST',
    path: '/runner/claim',
    tag,
    summary: 'Claim a job, or wait for one',
    description: 'Returns no job if none became available in time.',
    access: 'runner',
    body: strict({
      waitSeconds: Type.Number({ minimum: 0, maximum: maxClaimSeconds, default: maxClaimSeconds }),
    }),
    reply: Type.Object({ job: Type.Optional(ClaimedJob) }),
  },
  postRunnerJobHeartbeat: {
    method: 'POST',
    path: `${place}/heartbeat`,
    tag,
    summary: 'Extend the lease, then wait for a cancellation',
    access: 'job',
    body: strict({ waitMs: Type.Integer({ minimum: 0, maximum: heartbeatMs, default: 0 }) }),
    reply: Type.Object({ abort: Type.Boolean(), leaseUntil: Timestamp }),
  },
  postRunnerJobProgress: {
    method: 'POST',
    path: `${place}/progress`,
    tag,
    summary: 'Report the progress of the job with all its warnings so far',
    access: 'job',
    body: RunnerProgress,
    bodyLimit: 'jobReport',
  },
  postRunnerJobLog: {
    method: 'POST',
    path: `${place}/log`,
    tag,
    summary:
      'Append lines to the log; `first` is the number of the first line within this attempt and prevents duplicates',
    access: 'job',
    body: strict({
      first: Type.Integer({ minimum: 0, maximum: 2_000_000_000 }),
      entries: Type.Array(RunnerLogEntry, { maxItems: 1000 }),
    }),
    bodyLimit: 'jobReport',
  },
  getRunnerJobInput: {
    method: 'GET',
    path: `${place}/input/:index`,
    tag,
    summary: 'Read an input, or a member of a folder input; in full or a byte range',
    access: 'job',
    query: strict({
      member: Type.Optional(Type.String({ maxLength: 1024 })),
      offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
      length: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      sha256: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'Expected SHA-256; any other content is refused',
        }),
      ),
    }),
    download: true,
    errors: ['unusable_reference'],
  },
  getRunnerJobInputPlace: {
    method: 'GET',
    path: `${place}/input/:index/place`,
    tag,
    summary: 'Get the location of an input, or of a member of a folder input',
    access: 'job',
    query: strict({ member: Type.Optional(Type.String({ maxLength: 1024 })) }),
    reply: Type.Object({
      /** Absent if the file does not exist. */
      file: Type.Optional(
        Type.Object({
          size: Type.Integer({ description: 'In bytes' }),
          sha256: Type.String(),
          path: Type.Optional(SharedPath),
        }),
      ),
    }),
    errors: ['unusable_reference'],
  },
  getRunnerJobInputMembers: {
    method: 'GET',
    path: `${place}/input/:index/members`,
    tag,
    summary: 'List up to 1000 members of a folder input, by name, with their locations',
    access: 'job',
    query: strict({ after: Type.String({ maxLength: 1024, default: '' }) }),
    reply: Type.Object({
      members: Type.Array(InputMember),
    }),
    errors: ['unusable_reference'],
  },
  postRunnerJobComplete: {
    method: 'POST',
    path: `${place}/complete`,
    tag,
    summary: 'Complete the job: its outputs become files, its datasources are created or updated',
    access: 'job',
    body: JobCompletion,
    bodyLimit: 'jobReport',
    reply: JobEnd,
    errors: ['conflict'],
  },
  postRunnerJobFail: {
    method: 'POST',
    path: `${place}/fail`,
    tag,
    summary: 'End the job without effects: it failed or was cancelled',
    access: 'job',
    body: JobFailureReport,
    bodyLimit: 'jobReport',
    reply: JobEnd,
    errors: ['conflict'],
  },
  postRunnerJobRelease: {
    method: 'POST',
    path: `${place}/release`,
    tag,
    summary: 'Return the job to the queue, for example when the runner shuts down',
    access: 'job',
    reply: JobEnd,
    errors: ['conflict'],
  },
});
