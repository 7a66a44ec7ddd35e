import { Type } from 'typebox';
import type { TaskSpec } from '../job-type.ts';

const destination = {
  credentialsId: Type.String({
    minLength: 1,
    maxLength: 64,
    title: 'Credentials',
    description: 'Credentials of the project: the server and its login.',
    'x-editor': 'credentials',
  }),
  destination: Type.String({
    maxLength: 900,
    title: 'Folder',
    description: 'Folder for the files, below the one in the credentials. Its contents are replaced.',
    default: '',
  }),
  numThreads: Type.Integer({
    minimum: 1,
    maximum: 32,
    default: 4,
    title: 'Parallel uploads',
    description: 'Number of files uploaded at the same time.',
  }),
  gzip: Type.Boolean({
    default: false,
    title: 'Compress',
    description:
      'Compresses text files with gzip: on S3 instead of the plain files, elsewhere in addition to them.',
  }),
};

const id = (title: string, editor: string) =>
  Type.String({ minLength: 1, maxLength: 64, title, 'x-editor': editor });

/** The runner executes these types itself, because the process of a job has no network. They have no run.ts. */
const common = {
  folder: 'publish',
  purpose: 'publish',
  version: 1,
  reads: 'nothing',
  runsIn: 'runner',
  runsAlone: true,
} as const;
const phases = { compare: { unit: 'files' }, upload: { unit: 'bytes' }, remove: { unit: 'files' } } as const;

export const publishApp = {
  ...common,
  name: 'PublishApp',
  title: 'Publish an app to a server',
  description: 'Copies an app with its data and the map viewer to a server, as files that work on their own.',
  permission: 'publishApp',
  icon: 'AppWindow',
  options: Type.Object({ appId: id('App', 'app'), ...destination }),
  phases,
} as const satisfies TaskSpec;

export const publishDatasource = {
  ...common,
  name: 'PublishDatasource',
  title: 'Publish a datasource to a server',
  description: 'Copies the data of a datasource to a server.',
  permission: 'publishDatasource',
  icon: 'Database',
  options: Type.Object({ datasourceId: id('Datasource', 'datasource'), ...destination }),
  phases,
} as const satisfies TaskSpec;

export const publishScenario = {
  ...common,
  name: 'PublishScenario',
  title: 'Publish a scenario to a server',
  description: 'Copies the modules of a scenario and their data to a server.',
  permission: 'createScenario',
  icon: 'TableProperties',
  options: Type.Object({ scenarioId: id('Scenario', 'scenario'), ...destination }),
  phases,
} as const satisfies TaskSpec;
