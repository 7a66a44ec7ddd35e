import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Schedule } from './schedules.ts';
import { Deleted, Id, strict } from './schema.ts';
import { Job } from './jobs.ts';
import { Task, TaskListItem } from './tasks.ts';

/** Destination and options of a publication. */
export const Publication = strict({
  credentialsId: { ...Id, description: 'Credentials of the project' },
  destination: Type.Optional(
    Type.String({
      maxLength: 900,
      description: 'Folder below the one in the credentials. Its contents are replaced',
    }),
  ),
  numThreads: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 32, description: 'Parallel file transfers; default 4' }),
  ),
  gzip: Type.Optional(
    Type.Boolean({ description: 'Whether to compress text files with gzip; default false' }),
  ),
  schedule: Type.Optional({ ...Schedule, description: 'Default: now' }),
});
export type Publication = Static<typeof Publication>;

const carried = (what: string) =>
  Type.Optional(
    Type.Boolean({
      description: `Without effect: ${what}. Files that are already at the destination are not sent again`,
    }),
  );
const viewer = {
  lib: carried('a published app always contains the map viewer'),
  plugins: carried('a published app always contains the plugins that it uses'),
};

export const AppPublication = strict({ ...Publication.properties, ...viewer });

export const ScenarioPublication = strict({
  ...Publication.properties,
  lib: carried('a published scenario contains no map viewer'),
  plugins: carried('a published scenario contains no plugins'),
  global: carried('a published scenario contains its own modules'),
});

export const maxPublications = 100;

/** The publishing tasks of an app, datasource or scenario, each with its last job. */
export const Publications = Type.Object({
  items: Type.Array(TaskListItem, { maxItems: maxPublications }),
  task: Type.Optional({ ...TaskListItem, description: 'The latest task, or the one that was asked for' }),
  job: Type.Optional({ ...Job, description: 'The last job of `task`' }),
});
export type Publications = Static<typeof Publications>;

const tag = 'publishing';
const app = '/project/:projectId/app/:appId/publish';
const datasource = '/project/:projectId/datasource/:datasourceId/publish';
const scenario = '/project/:projectId/scenario/:scenarioId/publish';

const ofTask = (description: string) => strict({ taskId: Type.Optional({ ...Id, description }) });

const put = {
  method: 'PUT',
  tag,
  description:
    'Creates a task that uploads the files to the destination and, unless scheduled, runs it immediately. If a task for the same credentials and destination exists, it is updated and run again. Its ID is listed in `publishTaskIds`.',
  body: Publication,
  reply: Task,
  errors: ['unusable_reference', 'unprocessable', 'conflict'],
} as const;
const get = {
  method: 'GET',
  tag,
  query: ofTask('The task to return; default: the latest'),
  reply: Publications,
} as const;
const abort = {
  method: 'DELETE',
  tag,
  description: 'The tasks are kept. Files that were already sent stay at the destination.',
  query: ofTask('Default: all'),
} as const;
const remove = {
  method: 'DELETE',
  tag,
  description: 'The tasks move to the trash. Files at the destination are kept.',
  query: ofTask('Default: all'),
  reply: Deleted,
  errors: ['conflict'],
} as const;

export const publishEndpoints = endpoints({
  putProjectAppPublish: {
    ...put,
    body: AppPublication,
    path: app,
    summary: 'Publish an app with its data and the map viewer to a destination',
    access: { permission: 'publishApp' },
  },
  getProjectAppPublish: {
    ...get,
    path: app,
    summary: 'List the tasks that publish an app',
    access: { permission: 'publishApp' },
  },
  deleteProjectAppPublish: {
    ...abort,
    path: app,
    summary: 'Cancel the running publication of an app',
    access: { permission: 'publishApp' },
  },
  deleteProjectAppPublishTasks: {
    ...remove,
    path: `${app}/tasks`,
    summary: 'Stop publishing an app to a destination',
    access: { permission: 'publishApp' },
  },
  putProjectDatasourcePublish: {
    ...put,
    path: datasource,
    summary: 'Publish the data of a datasource to a destination',
    access: { permission: 'publishDatasource' },
  },
  getProjectDatasourcePublish: {
    ...get,
    path: datasource,
    summary: 'List the tasks that publish a datasource',
    access: { permission: 'publishDatasource' },
  },
  deleteProjectDatasourcePublish: {
    ...abort,
    path: datasource,
    summary: 'Cancel the running publication of a datasource',
    access: { permission: 'publishDatasource' },
  },
  deleteProjectDatasourcePublishTasks: {
    ...remove,
    path: `${datasource}/tasks`,
    summary: 'Stop publishing a datasource to a destination',
    access: { permission: 'publishDatasource' },
  },
  putProjectScenarioPublish: {
    ...put,
    body: ScenarioPublication,
    path: scenario,
    summary: 'Publish the modules of a scenario with their data to a destination',
    access: { permission: 'createScenario' },
  },
  getProjectScenarioPublish: {
    ...get,
    path: scenario,
    summary: 'List the tasks that publish a scenario',
    access: { permission: 'getModule', orCreator: true },
  },
  deleteProjectScenarioPublish: {
    ...abort,
    path: scenario,
    summary: 'Cancel the running publication of a scenario',
    access: { permission: 'createScenario' },
  },
  deleteProjectScenarioPublishTasks: {
    ...remove,
    path: `${scenario}/tasks`,
    summary: 'Stop publishing a scenario to a destination',
    access: { permission: 'createScenario' },
  },
});
