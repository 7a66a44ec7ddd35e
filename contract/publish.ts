import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Schedule } from './schedules.ts';
import { Deleted, Id, strict } from './schema.ts';
import { Task, TaskListItem } from './tasks.ts';

/** Where to, and how. */
export const Publication = strict({
  credentialsId: { ...Id, description: 'Of the project' },
  destination: Type.Optional(
    Type.String({
      maxLength: 900,
      description: 'A folder below where the credentials lead. What lies there is replaced',
    }),
  ),
  numThreads: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 32, description: 'Files under way at once; 4 at first' }),
  ),
  gzip: Type.Optional(Type.Boolean({ description: 'Have text and the like served gzipped; false at first' })),
  schedule: Type.Optional({ ...Schedule, description: 'Absent: now' }),
});
export type Publication = Static<typeof Publication>;

export const mostPublications = 100;

/** The tasks by which something is published, each with its last job. */
export const Publications = Type.Object({
  items: Type.Array(TaskListItem, { maxItems: mostPublications }),
});
export type Publications = Static<typeof Publications>;

const tag = 'publishing';
const app = '/project/:projectId/app/:appId/publish';
const datasource = '/project/:projectId/datasource/:datasourceId/publish';
const scenario = '/project/:projectId/scenario/:scenarioId/publish';

const withdrawal = strict({ taskId: Type.Optional({ ...Id, description: 'Absent: all of them' }) });

const put = {
  method: 'PUT',
  tag,
  description:
    'Makes a task that carries files to the destination, and runs it at once unless the schedule says otherwise. With the same credentials and destination again, that task is changed and runs again. Its id is among `publishTaskIds`.',
  body: Publication,
  reply: Task,
  errors: ['unusable_reference', 'unprocessable', 'conflict'],
} as const;
const get = { method: 'GET', tag, reply: Publications } as const;
const remove = {
  method: 'DELETE',
  tag,
  description:
    'The tasks go to the trash. What lies at the destination stays there: nothing is deleted elsewhere.',
  query: withdrawal,
  reply: Deleted,
  errors: ['conflict'],
} as const;

export const publishEndpoints = endpoints({
  putProjectAppPublish: {
    ...put,
    path: app,
    summary: 'Carry an app with its data and the map viewer to a destination',
    access: { permission: 'publishApp' },
  },
  getProjectAppPublish: {
    ...get,
    path: app,
    summary: 'List the tasks that publish an app',
    access: { permission: 'publishApp' },
  },
  deleteProjectAppPublish: {
    ...remove,
    path: app,
    summary: 'Publish an app no longer to a destination',
    access: { permission: 'publishApp' },
  },
  putProjectDatasourcePublish: {
    ...put,
    path: datasource,
    summary: 'Carry the data of a datasource to a destination',
    access: { permission: 'publishDatasource' },
  },
  getProjectDatasourcePublish: {
    ...get,
    path: datasource,
    summary: 'List the tasks that publish a datasource',
    access: { permission: 'publishDatasource' },
  },
  deleteProjectDatasourcePublish: {
    ...remove,
    path: datasource,
    summary: 'Publish a datasource no longer to a destination',
    access: { permission: 'publishDatasource' },
  },
  putProjectScenarioPublish: {
    ...put,
    path: scenario,
    summary: 'Carry the modules of a scenario with their data to a destination',
    access: { permission: 'createScenario' },
  },
  getProjectScenarioPublish: {
    ...get,
    path: scenario,
    summary: 'List the tasks that publish a scenario',
    access: { permission: 'getModule', orCreator: true },
  },
  deleteProjectScenarioPublish: {
    ...remove,
    path: scenario,
    summary: 'Publish a scenario no longer to a destination',
    access: { permission: 'createScenario' },
  },
});
