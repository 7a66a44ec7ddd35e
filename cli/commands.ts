export interface Option {
  /** What stands in its place in the help. */
  readonly value: string;
  /** The setting that it sets. */
  readonly setting: string;
  readonly help: string;
  /** A whole number, at least this. */
  readonly least?: number;
}

export interface Command {
  readonly summary: string;
  /** Of the installation. */
  readonly program: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Without which it cannot begin, as an option or a setting. */
  readonly needs: readonly string[];
  /** Of which at most one may be given. */
  readonly either: readonly string[];
  readonly notes: string;
}

const runner: Command = {
  summary: 'Run jobs of a Platen service on this machine',
  program: 'runner/main.ts',
  needs: ['url'],
  either: ['token', 'token-file'],
  options: {
    url: {
      value: 'address',
      setting: 'PLATEN_URL',
      help: 'of the service, such as https://maps.example.org',
    },
    token: {
      value: 'token',
      setting: 'PLATEN_RUNNER_TOKEN',
      help: 'to enrol with, or a runner’s own; it shows in lists of processes',
    },
    'token-file': {
      value: 'file',
      setting: 'PLATEN_RUNNER_TOKEN_FILE',
      help: 'that holds the token, and nothing else',
    },
    name: {
      value: 'name',
      setting: 'PLATEN_RUNNER_NAME',
      help: 'that operators see; made from the machine’s',
    },
    labels: {
      value: 'a,b',
      setting: 'PLATEN_RUNNER_LABELS',
      help: 'it also does tasks that ask for these labels',
    },
    scratch: {
      value: 'folder',
      setting: 'PLATEN_RUNNER_SCRATCH',
      help: 'for the files of jobs, and who this runner is',
    },
    memory: {
      value: 'MB',
      setting: 'PLATEN_RUNNER_MEMORY_MB',
      help: 'that a job may take; 60 % of the machine, 8192 at most',
      least: 128,
    },
    'cpu-seconds': {
      value: 'seconds',
      setting: 'PLATEN_RUNNER_CPU_SECONDS',
      help: 'of CPU time, all threads together, that a job may take; no limit',
      least: 0,
    },
    'scratch-size': {
      value: 'MB',
      setting: 'PLATEN_RUNNER_SCRATCH_MB',
      help: 'of disk that a job may take; half of what is free',
      least: 0,
    },
    'fetch-allow': {
      value: 'words',
      setting: 'PLATEN_FETCH_ALLOW',
      help: 'what jobs may fetch from beside the public web: http, and networks such as 10.20.0.0/16',
    },
    'publish-folder': {
      value: 'folder',
      setting: 'PLATEN_PUBLISH_FOLDER',
      help: 'of this machine that jobs may publish below; none',
    },
  },
  notes: `Each option is also a setting of the environment; the option counts. A token in a file, or in the environment, does not
stand in lists of processes. A runner that has enrolled keeps a token of its own in its scratch folder, and needs none to
start again.`,
};

const start: Command = {
  summary: 'Start the service, as npm start does',
  program: 'server/start.js',
  needs: [],
  either: [],
  options: {},
  notes: 'It takes its settings from the environment: they are listed in the README.',
};

export const commands: Readonly<Record<string, Command>> = { start, runner };
