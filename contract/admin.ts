import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Job, JobListQuery } from './jobs.ts';
import { filter, Id, page } from './schema.ts';
import { TaskListItem, TaskListQuery } from './tasks.ts';

const ofProjects = {
  projectId: filter.exact(),
  includeDeletedProjects: Type.Optional(
    Type.Boolean({ description: 'Also lists those of deleted projects' }),
  ),
};
const ofProject = { projectName: Type.String() };

export const AdminJob = Type.Object({
  ...Job.properties,
  ...ofProject,
  runner: Type.Optional(
    Type.Object(
      { _id: Id, name: Type.String() },
      { description: 'The runner that runs the job, while it is running' },
    ),
  ),
});
export type AdminJob = Static<typeof AdminJob>;

export const AdminTask = Type.Object({ ...TaskListItem.properties, ...ofProject });
export type AdminTask = Static<typeof AdminTask>;

export const AdminJobListQuery = Type.Object(
  { ...JobListQuery.properties, ...ofProjects },
  { additionalProperties: false },
);
export type AdminJobListQuery = Static<typeof AdminJobListQuery>;

export const AdminTaskListQuery = Type.Object(
  { ...TaskListQuery.properties, ...ofProjects },
  { additionalProperties: false },
);
export type AdminTaskListQuery = Static<typeof AdminTaskListQuery>;

const tag = 'admin';

export const adminEndpoints = endpoints({
  getAdminJobs: {
    method: 'GET',
    path: '/admin/jobs',
    tag,
    summary: 'List the jobs of all projects',
    access: 'admin',
    query: AdminJobListQuery,
    reply: page(AdminJob),
    errors: ['too_large'],
  },
  getAdminTasks: {
    method: 'GET',
    path: '/admin/tasks',
    tag,
    summary: 'List the tasks of all projects, each with its last job',
    access: 'admin',
    query: AdminTaskListQuery,
    reply: page(AdminTask),
    errors: ['too_large'],
  },
});
