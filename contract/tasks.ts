import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Job } from './jobs.ts';
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
} from './schema.ts';

/**
 * When a task's jobs run: `immediate` once, as soon as a runner is free; `scheduled` once at an instant (at once when
 * it is past); `cron` again and again, not before `scheduled` where that is given.
 */
export const Schedule = strict({
  type: oneOf(['immediate', 'scheduled', 'cron']),
  scheduled: Type.Optional(Timestamp),
  cron: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: '5 fields, or 6 with seconds in front' }),
  ),
  suspended: Type.Optional(Type.Boolean({ description: 'A cron task that rests' })),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name such as Europe/Berlin; UTC if absent',
    }),
  ),
});
export type Schedule = Static<typeof Schedule>;

const fields = {
  name: Name,
  description: Description,
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 50,
    description: 'Only runners that carry all of them take the jobs',
  }),
  tags: FreeForm,
  debugLevel: Type.Integer({ minimum: 0, maximum: 2, description: '0 none, 1 verbose, 2 keep scratch' }),
  priority: Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description: 'Higher runs first' }),
  jobType: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A lowercase prefix and the name of a job type, such as platenTilesVector',
  }),
  jobVersion: Type.String({ maxLength: 100 }),
  schedule: Schedule,
  properties: FreeForm,
  parameters: FreeForm,
};

const serviceSet = {
  ...stamps,
  projectId: Id,
  lastJobId: Type.Optional(Id),
  nextRunAt: Type.Optional(Timestamp),
};

/** What is to be done with which data, and when. Each time it is done is a job. */
export const Task = Type.Object({ ...fields, ...serviceSet });
export type Task = Static<typeof Task>;

/** Others' tags, parameters and properties are left out for callers without getJob. */
export const TaskListItem = Type.Object({
  ...fields,
  tags: Type.Optional(FreeForm),
  properties: Type.Optional(FreeForm),
  parameters: Type.Optional(FreeForm),
  ...serviceSet,
  lastJob: Type.Optional(Job),
});
export type TaskListItem = Static<typeof TaskListItem>;

export const NewTask = strict({
  ...Type.Partial(Type.Object(fields)).properties,
  name: Name,
  jobType: fields.jobType,
  parameters: FreeForm,
});
export type NewTask = Static<typeof NewTask>;

export const TaskChange = change(fields, { ...serviceSet, lastJob: Type.Unknown() });
export type TaskChange = Static<typeof TaskChange>;

export const TaskListQuery = listQuery(
  ['name', 'jobType', 'priority', 'nextRunAt', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    name: filter.text(),
    description: filter.text(),
    jobType: filter.exact(),
    label: filter.exact(),
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
      'Needs the permission of the job type’s family too, such as accessObjectJob. The parameters follow the schema that GET /job-type/{jobType} shows; keys that it does not know become warnings of the jobs.',
    access: { permission: 'getProject' },
    body: NewTask,
    reply: Task,
    errors: ['unusable_reference', 'unprocessable'],
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
  },
  putProjectTask: {
    method: 'PUT',
    path: '/project/:projectId/task/:taskId',
    tag,
    summary: 'Change the fields that are present',
    description:
      'Parameters are merged into the stored ones (the input is replaced as a whole) unless `overwriteParameters` is set. Needs the permission of the job type’s family.',
    access: { permission: 'getProject' },
    query: strict({ overwriteParameters: Type.Optional(Type.Boolean()) }),
    body: TaskChange,
    reply: Task,
    errors: ['precondition_failed', 'unusable_reference', 'unprocessable'],
  },
  deleteProjectTask: {
    method: 'DELETE',
    path: '/project/:projectId/task/:taskId',
    tag,
    summary: 'Delete a task with the history of its jobs; what they made stays',
    access: { permission: 'getProject' },
    reply: Deleted,
    errors: ['precondition_failed', 'conflict'],
  },
  postProjectTaskRun: {
    method: 'POST',
    path: '/project/:projectId/task/:taskId/run',
    tag,
    summary: 'Run a task now, whatever its schedule',
    access: { permission: 'getProject' },
    reply: Job,
    status: 201,
    errors: ['unusable_reference'],
  },
});
