import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { RunnerCapabilities } from './runner-registration.ts';
import { Deleted, filter, Id, listQuery, oneOf, page, strict, Timestamp, someOf } from './schema.ts';

/** A runner without contact for this long counts as offline. */
export const offlineAfterMs = 60_000;

export const runnerStates = ['idle', 'busy', 'offline', 'stopped'] as const;
export type RunnerState = (typeof runnerStates)[number];

export const RunnerJob = Type.Object({
  jobId: Id,
  projectId: Id,
  taskId: Type.Optional(Id),
  jobType: Type.String(),
  attempt: Type.Integer(),
});
export type RunnerJob = Static<typeof RunnerJob>;

/** A registered runner as operators see it. */
export const Runner = Type.Object({
  _id: Id,
  name: Type.String(),
  state: oneOf(runnerStates, 'busy: running a job · offline: not seen for a minute · stopped: shut down'),
  isEmbedded: Type.Boolean({ description: 'Embedded: started by the service' }),
  labels: Type.Array(Type.String()),
  version: Type.String(),
  isOutdated: Type.Boolean({ description: 'Whether its version is older than the service' }),
  typeNames: Type.Optional(
    Type.Array(Type.String(), { description: 'Supported job types; absent if not reported' }),
  ),
  capabilities: Type.Optional(RunnerCapabilities),
  job: Type.Optional(RunnerJob),
  lastHour: Type.Object(
    { succeeded: Type.Integer(), failed: Type.Integer() },
    { description: 'Outcomes of its jobs in the last hour' },
  ),
  createdAt: Timestamp,
  seenAt: Timestamp,
  stoppedAt: Type.Optional(Timestamp),
});
export type Runner = Static<typeof Runner>;

export const RunnerListQuery = listQuery(['name', 'version', 'seenAt', 'createdAt', '_id'], {
  name: filter.text(),
  label: filter.label(),
  state: someOf(oneOf(runnerStates), runnerStates.length),
});
export type RunnerListQuery = Static<typeof RunnerListQuery>;

const tokenFields = {
  _id: Id,
  name: Type.String(),
  createdAt: Timestamp,
  createdBy: Type.String(),
  expiresAt: Timestamp,
};

/** A token with which runners can enrol until it expires. */
export const EnrolmentToken = Type.Object(tokenFields);
export type EnrolmentToken = Static<typeof EnrolmentToken>;

/** The token itself is returned only once. */
export const NewEnrolmentToken = Type.Object({ ...tokenFields, token: Type.String() });
export type NewEnrolmentToken = Static<typeof NewEnrolmentToken>;

export const EnrolmentTokenListQuery = listQuery(['name', 'expiresAt', 'createdAt', '_id'], {
  name: filter.text(),
});
export type EnrolmentTokenListQuery = Static<typeof EnrolmentTokenListQuery>;

const tag = 'runners';

export const adminRunnerEndpoints = endpoints({
  getAdminRunners: {
    method: 'GET',
    path: '/admin/runners',
    tag,
    summary: 'List the runners',
    access: 'admin',
    query: RunnerListQuery,
    reply: page(Runner),
  },
  getAdminRunner: {
    method: 'GET',
    path: '/admin/runner/:runnerId',
    tag,
    summary: 'Get a runner',
    access: 'admin',
    reply: Runner,
  },
  deleteAdminRunner: {
    method: 'DELETE',
    path: '/admin/runner/:runnerId',
    tag,
    summary: 'Remove a runner: its token becomes invalid and its jobs return to the queue',
    description: 'An embedded runner can be removed only after it has stopped.',
    access: 'superUser',
    reply: Deleted,
    errors: ['conflict'],
  },
  postAdminEnrolmentToken: {
    method: 'POST',
    path: '/admin/enrolment-token',
    tag,
    summary: 'Create an enrolment token, valid for some hours; it is returned only once',
    access: 'superUser',
    body: strict({
      name: Type.String({ maxLength: 255, default: '', description: 'Purpose of the token' }),
      hours: Type.Number({ exclusiveMinimum: 0, maximum: 8784, default: 24 }),
    }),
    reply: NewEnrolmentToken,
    shownOnce: true,
    status: 201,
  },
  getAdminEnrolmentTokens: {
    method: 'GET',
    path: '/admin/enrolment-tokens',
    tag,
    summary: 'List the valid enrolment tokens, except the one in the configuration',
    access: 'admin',
    query: EnrolmentTokenListQuery,
    reply: page(EnrolmentToken),
  },
  deleteAdminEnrolmentToken: {
    method: 'DELETE',
    path: '/admin/enrolment-token/:enrolmentTokenId',
    tag,
    summary: 'Revoke an enrolment token; runners enrolled with it are kept',
    access: 'superUser',
    reply: Deleted,
  },
});
