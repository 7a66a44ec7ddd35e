import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ObjectKey } from './objects.ts';
import { Id, listQuery, oneOf, page } from './schema.ts';

/** A resource that refers to another one. */
export const Use = Type.Object({
  type: oneOf(['project', 'datasource', 'task', 'module', 'app', 'release', 'scenario']),
  _id: Id,
  name: Type.String(),
  role: oneOf(
    [
      'defaultDataBucket',
      'data',
      'input',
      'output',
      'target',
      'layer',
      'module',
      'pinned',
      'maintained',
      'publish',
      'variant',
    ],
    'Kind of reference: data: a datasource serves it · input, output: a task reads it or stores its files there · target: a task updates the datasource · layer: a module shows it · module: an app contains it · pinned: a release of an app shows an earlier revision · maintained: a datasource whose data the task creates · publish: a task publishes it to a destination, or uses these credentials · variant: a scenario is a variant of the app',
  ),
  blocks: Type.Boolean({ description: 'Whether it prevents deletion unless `force` is set' }),
});
export type Use = Static<typeof Use>;

export const UseListQuery = listQuery(['type', 'name'], {});
export type UseListQuery = Static<typeof UseListQuery>;

export const ObjectUseListQuery = listQuery(['type', 'name'], { key: ObjectKey });
export type ObjectUseListQuery = Static<typeof ObjectUseListQuery>;

const tag = 'used by';
const query = UseListQuery;
const reply = page(Use);

export const usedByEndpoints = endpoints({
  getProjectDataBucketObjectUsedBy: {
    method: 'GET',
    path: '/project/:projectId/data-bucket/:dataBucketId/object/used-by',
    tag,
    summary: 'List the resources that use a file, or with a trailing / a folder or files in it',
    access: { permission: 'getDataBucket', orCreator: true },
    query: ObjectUseListQuery,
    reply,
  },
  getProjectDataBucketUsedBy: {
    method: 'GET',
    path: '/project/:projectId/data-bucket/:dataBucketId/used-by',
    tag,
    summary: 'List the resources that use a data bucket or files in it',
    access: { permission: 'getDataBucket', orCreator: true },
    query,
    reply,
  },
  getProjectDatasourceUsedBy: {
    method: 'GET',
    path: '/project/:projectId/datasource/:datasourceId/used-by',
    tag,
    summary: 'List the resources that use a datasource',
    access: { permission: 'getDatasource', orCreator: true },
    query,
    reply,
  },
  getProjectModuleUsedBy: {
    method: 'GET',
    path: '/project/:projectId/module/:moduleId/used-by',
    tag,
    summary: 'List the apps and scenarios that contain a module',
    access: { permission: 'getModule', orCreator: true },
    query,
    reply,
  },
  getProjectAppUsedBy: {
    method: 'GET',
    path: '/project/:projectId/app/:appId/used-by',
    tag,
    summary: 'List the tasks that publish an app, and the scenarios that are variants of it',
    access: { permission: 'getProject' },
    query,
    reply,
  },
  getProjectScenarioUsedBy: {
    method: 'GET',
    path: '/project/:projectId/scenario/:scenarioId/used-by',
    tag,
    summary: 'List the tasks that publish a scenario',
    access: { permission: 'getModule', orCreator: true },
    query,
    reply,
  },
  getProjectCredentialUsedBy: {
    method: 'GET',
    path: '/project/:projectId/credential/:credentialId/used-by',
    tag,
    summary: 'List the tasks that use the credentials',
    access: { permission: 'getCredentials' },
    query,
    reply,
  },
  getProjectTaskUsedBy: {
    method: 'GET',
    path: '/project/:projectId/task/:taskId/used-by',
    tag,
    summary: 'List the datasources whose data a task creates',
    access: { permission: 'getJob', orCreator: true },
    query,
    reply,
  },
});
