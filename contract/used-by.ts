import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ObjectKey } from './objects.ts';
import { Id, listQuery, oneOf, page } from './schema.ts';

/** Something that refers to a resource. */
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
    'How it refers: data: a datasource serves it · input, output: a task reads it, or puts its files there · target: a task changes the datasource · layer: a module shows it · module: an app consists of it · pinned: a release of an app shows it as it was · maintained: a datasource whose data the task made or makes · publish: a task carries it to a destination, or does so by these credentials · variant: a scenario is one of the app',
  ),
  blocks: Type.Boolean({ description: 'Deletion is refused because of it, unless forced' }),
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
    summary: 'List what refers to a file, or with a trailing / to a folder or to files in it',
    access: { permission: 'getDataBucket', orCreator: true },
    query: ObjectUseListQuery,
    reply,
  },
  getProjectDataBucketUsedBy: {
    method: 'GET',
    path: '/project/:projectId/data-bucket/:dataBucketId/used-by',
    tag,
    summary: 'List what refers to a data bucket or to files in it',
    access: { permission: 'getDataBucket', orCreator: true },
    query,
    reply,
  },
  getProjectDatasourceUsedBy: {
    method: 'GET',
    path: '/project/:projectId/datasource/:datasourceId/used-by',
    tag,
    summary: 'List what refers to a datasource',
    access: { permission: 'getDatasource', orCreator: true },
    query,
    reply,
  },
  getProjectModuleUsedBy: {
    method: 'GET',
    path: '/project/:projectId/module/:moduleId/used-by',
    tag,
    summary: 'List the apps and scenarios that consist of a module',
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
    summary: 'List the tasks that publish by credentials',
    access: { permission: 'getCredentials' },
    query,
    reply,
  },
  getProjectTaskUsedBy: {
    method: 'GET',
    path: '/project/:projectId/task/:taskId/used-by',
    tag,
    summary: 'List the datasources whose data a task makes',
    access: { permission: 'getJob', orCreator: true },
    query,
    reply,
  },
});
