import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Warnings } from './error.ts';
import { Job, JobOutputs, jobStates } from './jobs.ts';
import { nextRuns, Schedule, scheduleTypes } from './schedules.ts';
import {
  change,
  Deleted,
  Description,
  filter,
  FreeForm,
  Id,
  listQuery,
  Name,
  oneOf,
  page,
  stampFilters,
  stamps,
  strict,
  Timestamp,
  someOf,
  separatedByCommas,
  workFilters,
} from './schema.ts';

const fields = {
  name: Name,
  description: Description,
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 50,
    description: 'Only runners that have all labels take the jobs',
  }),
  tags: FreeForm,
  debugLevel: Type.Integer({
    minimum: 0,
    maximum: 2,
    description: '0: off, 1: verbose log, 2: also keep scratch files',
  }),
  priority: Type.Integer({
    minimum: -1_000_000,
    maximum: 1_000_000,
    description:
      'Jobs with higher priority run first within the project; projects take turns regardless of priority',
  }),
  jobType: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Lowercase prefix and name of a job type, such as platenTilesVector',
  }),
  jobVersion: Type.String({
    maxLength: 100,
    description: 'The installed version of the job type, or empty for whichever is installed',
  }),
  schedule: Schedule,
  properties: FreeForm,
  parameters: FreeForm,
};

const timeoutSeconds = Type.Integer({
  minimum: 1,
  maximum: 30 * 24 * 3600,
  description: 'Time limit of an attempt of its jobs; default: the setting of the service',
});
const optionalFields = { timeoutSeconds: Type.Optional(timeoutSeconds) };

const serviceSet = {
  ...stamps,
  projectId: Id,
  lastJobId: Type.Optional(Id),
  nextRunAt: Type.Optional(Timestamp),
  nextRuns,
  warnings: Type.Optional(Warnings),
};

/** A job type with its inputs, options and schedule. Each run of a task is a job. */
export const Task = Type.Object({ ...fields, ...optionalFields, ...serviceSet });
export type Task = Static<typeof Task>;

/** A task with its last job, and the job that this request created or the reason why it created none. */
export const TaskWithJob = Type.Object({
  ...Task.properties,
  lastJob: Job,
  status: { ...Job.properties.status, description: 'That of the job' },
  output: Type.Optional({ ...JobOutputs, description: 'What the job made, once it has succeeded' }),
  error: Type.Optional(Type.String({ description: 'Why the job failed' })),
});
export type TaskWithJob = Static<typeof TaskWithJob>;

/**
 * Tags, parameters and properties of other users' tasks are omitted for callers without getJob. The last job lacks its
 * parameters, outputs, report and warning examples; GET …/job/{jobId} has them.
 */
export const TaskListItem = Type.Object({
  ...fields,
  ...optionalFields,
  tags: Type.Optional(FreeForm),
  properties: Type.Optional(FreeForm),
  parameters: Type.Optional(FreeForm),
  ...serviceSet,
  lastJob: Type.Optional(Job),
});
export type TaskListItem = Static<typeof TaskListItem>;

export const NewTask = strict({
  ...Type.Partial(Type.Object(fields)).properties,
  ...optionalFields,
  name: Name,
  jobType: fields.jobType,
  parameters: FreeForm,
});
export type NewTask = Static<typeof NewTask>;

export const TaskChange = change(
  { ...fields, timeoutSeconds: Type.Union([timeoutSeconds, Type.Null()]) },
  // the fields of list items
  { ...serviceSet, lastJob: Type.Unknown(), projectName: Type.Unknown() },
);
export type TaskChange = Static<typeof TaskChange>;

export const TaskListQuery = listQuery(
  [
    'name',
    'jobType',
    'priority',
    'nextRunAt',
    'lastRunAt',
    'createdAt',
    'createdBy',
    'updatedAt',
    'updatedBy',
    '_id',
  ],
  {
    name: filter.text(),
    description: filter.text(),
    ...workFilters,
    scheduleType: someOf(oneOf(scheduleTypes), 3),
    suspended: Type.Optional(Type.Boolean({ description: 'Whether its schedule is paused' })),
    nextRunAt: filter.time(),
    lastRunAt: filter.time(),
    state: Type.Optional(
      Type.Array(oneOf(jobStates), {
        maxItems: 6,
        description: 'State of the last job; `status` likewise',
        ...separatedByCommas,
      }),
    ),
    status: someOf(Type.Integer({ minimum: 1, maximum: 6 }), 6),
    ...stampFilters,
  },
);
export type TaskListQuery = Static<typeof TaskListQuery>;

const tag = 'tasks';

export const taskEndpoints = endpoints({
  postProjectTask: {
    method: 'POST',
    path: '/project/:projectId/task',
    tag,
    summary: 'Create a task',
    description:
      'Also requires the permission of the job type, such as accessObjectJob. Parameters must match the schema returned by GET /job-type/{jobType}; unknown keys become `warnings` of the task and of its jobs.',
    access: { permission: 'getProject' },
    body: NewTask,
    bodyLimit: 'freeForm',
    reply: Task,
    errors: ['unusable_reference', 'unprocessable', 'conflict'],
  },
  getProjectTasks: {
    method: 'GET',
    path: '/project/:projectId/tasks',
    tag,
    summary: 'List the tasks of a project, each with its last job',
    access: { permission: 'getProject' },
    query: TaskListQuery,
    reply: page(TaskListItem),
    errors: ['too_large'],
  },
  getProjectTask: {
    method: 'GET',
    path: '/project/:projectId/task/:taskId',
    tag,
    summary: 'Get a task',
    access: { permission: 'getJob' },
    reply: Task,
    alwaysWhole: true, // its last job and next runs change
  },
  putProjectTask: {
    method: 'PUT',
    path: '/project/:projectId/task/:taskId',
    tag,
    summary: 'Change the given fields',
    description:
      'Parameters are merged into the stored ones (the input is replaced as a whole) unless `overwriteParameters` is set. Requires the permission of the job type.',
    access: { permission: 'getProject' },
    query: strict({ overwriteParameters: Type.Optional(Type.Boolean()) }),
    body: TaskChange,
    bodyLimit: 'freeForm',
    reply: Task,
    errors: ['precondition_failed', 'unusable_reference', 'unprocessable'],
  },
  deleteProjectTask: {
    method: 'DELETE',
    path: '/project/:projectId/task/:taskId',
    tag,
    summary: 'Delete a task with its job history; job outputs are kept',
    access: { permission: 'getProject' },
    reply: Deleted,
    errors: ['precondition_failed', 'conflict'],
  },
});
