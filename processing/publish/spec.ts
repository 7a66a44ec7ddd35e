import { Type } from 'typebox';
import type { JobSpec } from '../job-type.ts';

const destination = {
  credentialsId: Type.String({
    minLength: 1,
    maxLength: 64,
    title: 'Credentials',
    description: 'Of the project: the server, and what opens it.',
    'x-editor': 'credentials',
  }),
  destination: Type.String({
    maxLength: 900,
    title: 'Folder',
    description: 'Where the files go, below what the credentials name. All that lies there is replaced.',
    default: '',
  }),
  numThreads: Type.Integer({
    minimum: 1,
    maximum: 32,
    default: 4,
    title: 'Files at once',
    description: 'How many files are under way at once.',
  }),
  gzip: Type.Boolean({
    default: false,
    title: 'Compress',
    description:
      'Has text and the like served gzipped: on S3 in place of the plain files, elsewhere beside them.',
  }),
};

const id = (title: string, editor: string) =>
  Type.String({ minLength: 1, maxLength: 64, title, 'x-editor': editor });

/** The runner does them itself, as the process of a job has no network: there is no `run` beside this. */
const common = { folder: 'publish', version: 1, reads: 'nothing', transfers: true } as const;
const phases = { compare: 'files', upload: 'bytes', remove: 'files' } as const;

export const publishApp = {
  ...common,
  name: 'PublishApp',
  title: 'Publish an app',
  description:
    'Carries an app with its data and the map viewer to a server, as files that need nothing else.',
  permission: 'publishApp',
  options: Type.Object({ appId: id('App', 'app'), ...destination }),
  phases,
} as const satisfies JobSpec;

export const publishDatasource = {
  ...common,
  name: 'PublishDatasource',
  title: 'Publish a datasource',
  description: 'Carries the data of a datasource to a server.',
  permission: 'publishDatasource',
  options: Type.Object({ datasourceId: id('Datasource', 'datasource'), ...destination }),
  phases,
} as const satisfies JobSpec;

export const publishScenario = {
  ...common,
  name: 'PublishScenario',
  title: 'Publish a scenario',
  description: 'Carries the modules of a scenario, with their data, to a server.',
  permission: 'createScenario',
  options: Type.Object({ scenarioId: id('Scenario', 'scenario'), ...destination }),
  phases,
} as const satisfies JobSpec;
