import type { Command } from '../command.ts';
import { programAt } from '../run-program.ts';

const runner: Command = {
  summary: 'Run jobs of a Platen service on this machine',
  required: ['url'],
  exclusive: ['token', 'token-file'],
  options: {
    url: {
      value: 'address',
      setting: 'PLATEN_URL',
      help: 'Address of the service, such as https://maps.example.org',
    },
    token: {
      value: 'token',
      setting: 'PLATEN_RUNNER_TOKEN',
      help: 'Enrolment token, or the token of this runner; visible in process lists',
    },
    'token-file': {
      value: 'file',
      setting: 'PLATEN_RUNNER_TOKEN_FILE',
      help: 'File that contains only the token',
    },
    name: {
      value: 'name',
      setting: 'PLATEN_RUNNER_NAME',
      help: 'Name shown to operators (default: derived from the host name)',
    },
    labels: {
      value: 'a,b',
      setting: 'PLATEN_RUNNER_LABELS',
      help: 'Also run tasks that require these labels',
    },
    scratch: {
      value: 'folder',
      setting: 'PLATEN_RUNNER_SCRATCH',
      help: 'Folder for job files and the identity of this runner',
    },
    memory: {
      value: 'MB',
      setting: 'PLATEN_RUNNER_MEMORY_MB',
      help: 'Memory limit of a job (default: 60 % of the machine, 8192 at most)',
      min: 128,
    },
    'cpu-seconds': {
      value: 'seconds',
      setting: 'PLATEN_RUNNER_CPU_SECONDS',
      help: 'CPU time limit of a job, all threads together (default: none)',
      min: 0,
    },
    'scratch-size': {
      value: 'MB',
      setting: 'PLATEN_RUNNER_SCRATCH_MB',
      help: 'Disk limit of a job (default: half of the free space)',
      min: 0,
    },
    'fetch-allow': {
      value: 'words',
      setting: 'PLATEN_FETCH_ALLOW',
      help: 'Allow jobs to fetch over plain http, and from networks such as 10.20.0.0/16',
    },
    geoids: {
      value: 'folder',
      setting: 'PLATEN_GEOIDS',
      help: 'Folder with further geoid grids (GeoTIFF as PROJ has them, .gtx) for heights',
    },
    'publish-folder': {
      value: 'folder',
      setting: 'PLATEN_PUBLISH_FOLDER',
      help: 'Local folder that jobs may publish to (default: none)',
    },
  },
  notes: `Every option can also be set as an environment variable; the option takes precedence. A token in a file or in the
environment does not appear in process lists. Once enrolled, a runner keeps its own token in its scratch folder and can
be restarted without one.`,
  load: async () => programAt('runner/main.ts'),
};

const start: Command = {
  summary: 'Start the service, as npm start does',
  required: [],
  exclusive: [],
  options: {},
  notes: 'Settings are read from the environment; the README lists them.',
  load: async () => programAt('server/start.js'),
};

export const serviceCommands: Readonly<Record<string, Command>> = { start, runner };
