import { Type, type Static } from 'typebox';
import { BaseMaps } from './base-maps.ts';
import { endpoints } from './endpoint.ts';
import {
  Bbox,
  change,
  Deleted,
  Description,
  filter,
  FreeForm,
  Id,
  listQuery,
  Name,
  page,
  stampFilters,
  stamps,
  strict,
  Timestamp,
} from './schema.ts';
import { Quota } from './usage.ts';

/** Retention of ended jobs and their files. Absent fields use the settings of the service. */
export const KeepJobs = strict({
  days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 36_500,
      description: 'Days after their end; 0: deleted by the next clean-up, within an hour',
    }),
  ),
  perTask: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Number of jobs per task; the last job of a task is always kept',
    }),
  ),
});
export type KeepJobs = Static<typeof KeepJobs>;

const fields = { name: Name, description: Description, bbox: Bbox };
const furtherFields = { properties: FreeForm, quota: Quota, keepJobs: KeepJobs, baseMaps: BaseMaps };
const serviceSet = { ...stamps, defaultDataBucketId: Id };

/** The top-level container: members, data, tasks, modules and apps belong to one project. */
export const Project = Type.Object({ ...fields, ...furtherFields, ...serviceSet });
export type Project = Static<typeof Project>;

/** A project in the trash. */
export const DeletedProject = Type.Object({
  ...Project.properties,
  deletedAt: Timestamp,
  deletedBy: Type.String(),
  removedAt: { ...Timestamp, description: 'Time after which it is removed for good' },
});
export type DeletedProject = Static<typeof DeletedProject>;

/** An app of a restored project whose address another app had taken. */
export const AppWithNewAddress = Type.Object({
  _id: Id,
  name: Type.String(),
  formerSlug: Type.String(),
  slug: Type.Optional(Type.String({ description: 'The former one with a number; none if all are taken' })),
});
export type AppWithNewAddress = Static<typeof AppWithNewAddress>;

export const RestoredProject = Type.Object({
  ...Project.properties,
  newAddresses: Type.Array(AppWithNewAddress, {
    description: 'Apps whose slugs were taken while the project was deleted',
  }),
});
export type RestoredProject = Static<typeof RestoredProject>;

export const DeletedProjectListQuery = listQuery(['name', 'deletedAt'], { name: filter.text() });
export type DeletedProjectListQuery = Static<typeof DeletedProjectListQuery>;

export const NewProject = strict({
  ...fields,
  properties: Type.Optional(FreeForm),
  quota: Type.Optional(Quota),
  keepJobs: Type.Optional(KeepJobs),
  baseMaps: Type.Optional(BaseMaps),
});
export type NewProject = Static<typeof NewProject>;

export const ProjectChange = change({ ...fields, ...furtherFields }, serviceSet);
export type ProjectChange = Static<typeof ProjectChange>;

export const ProjectListQuery = listQuery(
  ['name', 'description', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    name: filter.text(),
    description: filter.text(),
    ...stampFilters,
    bbox: filter.bbox(),
  },
);
export type ProjectListQuery = Static<typeof ProjectListQuery>;

/** The number of resources of a project by kind. */
export const ProjectSummary = Type.Object({
  members: Type.Integer(),
  dataBuckets: Type.Integer(),
  objects: Type.Integer(),
  files: Type.Integer({ description: 'Objects without the files of jobs, as lists of files show them' }),
  bytes: Type.Integer({ description: 'Size of all objects in bytes' }),
  datasources: Type.Integer(),
  tasks: Type.Integer(),
  jobs: Type.Integer(),
  modules: Type.Integer(),
  apps: Type.Integer(),
  publicApps: Type.Integer(),
  scenarios: Type.Integer(),
  credentials: Type.Integer(),
  numberOfUsers: Type.Integer({ description: 'The same as `members`' }),
  numberOfDatasources: Type.Integer({ description: 'The same as `datasources`' }),
  numberOfDatabases: Type.Integer({ description: '0, as databases are not supported yet' }),
});
export type ProjectSummary = Static<typeof ProjectSummary>;

const tag = 'projects';

export const projectEndpoints = endpoints({
  postProject: {
    method: 'POST',
    path: '/project',
    tag,
    summary: 'Create a project and its default data bucket',
    access: 'superUser',
    query: strict({ managerId: Type.Optional(Id) }),
    body: NewProject,
    bodyLimit: 'freeForm',
    reply: Project,
    status: 201,
    errors: ['unusable_reference'],
  },
  getProjects: {
    method: 'GET',
    path: '/projects',
    tag,
    summary: 'List the projects the caller may see',
    access: 'user',
    accessTokens: 'any',
    query: ProjectListQuery,
    reply: page(Project),
    errors: ['too_large'],
  },
  getProject: {
    method: 'GET',
    path: '/project/:projectId',
    tag,
    summary: 'Get a project',
    access: { permission: 'getProject' },
    reply: Project,
  },
  putProject: {
    method: 'PUT',
    path: '/project/:projectId',
    tag,
    summary: 'Change the given fields',
    description: 'Only administrators may change the quota; others may send it unchanged.',
    access: { permission: 'editProject' },
    body: ProjectChange,
    bodyLimit: 'freeForm',
    reply: Project,
    errors: ['precondition_failed'],
  },
  deleteProject: {
    method: 'DELETE',
    path: '/project/:projectId',
    tag,
    summary: 'Delete a project with everything in it',
    description:
      'Nobody can reach anything in it any more. Administrators can restore it for as long as the trash is kept (`PLATEN_TRASH_DAYS`). Its jobs are cancelled.',
    access: 'admin',
    reply: Type.Object({ ...Project.properties, ...Deleted.properties }),
    errors: ['precondition_failed'],
  },
  getProjectSummary: {
    method: 'GET',
    path: '/project/:projectId/summary',
    tag,
    summary: 'Get the number of resources in a project',
    access: { permission: 'getProject' },
    reply: ProjectSummary,
  },
  getAdminDeletedProjects: {
    method: 'GET',
    path: '/admin/deleted-projects',
    tag,
    summary: 'List the deleted projects that can be restored',
    access: 'admin',
    query: DeletedProjectListQuery,
    reply: page(DeletedProject),
  },
  postAdminDeletedProjectRestore: {
    method: 'POST',
    path: '/admin/deleted-project/:deletedProjectId/restore',
    tag,
    summary: 'Restore a deleted project with everything in it',
    description:
      'It is as it was: its members, public apps and share links have their rights again. Jobs that were cancelled stay so; due tasks run. Slugs of apps that other apps have taken meanwhile get a number, and `newAddresses` names these apps.',
    access: 'admin',
    reply: RestoredProject,
    status: 200,
  },
  deleteAdminDeletedProject: {
    method: 'DELETE',
    path: '/admin/deleted-project/:deletedProjectId',
    tag,
    summary: 'Remove a deleted project for good',
    access: 'admin',
    reply: Deleted,
  },
});
