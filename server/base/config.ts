import { isAbsolute, join, resolve, sep } from 'node:path';
import type { JobLimits } from '@platen/processing/job-type';
import { defaultPasswordCost, type PasswordCost } from './secrets/passwords.ts';

/** What the operator decides, read once from the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  /** A PostgreSQL server of the operator's; undefined: the embedded one. */
  readonly databaseUrl: string | undefined;
  /** `file:<folder>` or `s3://bucket?endpoint=…` */
  readonly storage: string;
  readonly runners: number;
  /** Of jobs on the runners beside the service; what is not named they decide. */
  readonly jobLimits: Partial<JobLimits>;
  /** Lets runners on other machines enrol; undefined: none may. */
  readonly enrolmentToken: string | undefined;
  /** Keys that the secrets of credentials are encrypted with, as text; undefined: they lie in a file. */
  readonly secretKeys: string | undefined;
  /** undefined: one in the data folder, made at the first start. */
  readonly secretKeyFile: string | undefined;
  readonly adminUsername: string;
  /** undefined: generated and printed once. */
  readonly adminPassword: string | undefined;
  /** undefined: all that happens for a file or a collector, only what is wrong for a person at a terminal. */
  readonly logLevel: string | undefined;
  /** Where Prometheus may ask; 0: nowhere. */
  readonly metricsPort: number;
  readonly settings: Settings;
}

/** The part of the configuration that operations look at. */
export interface Settings {
  /** The address clients use, without a trailing slash; undefined: taken from each request. */
  readonly baseUrl: string | undefined;
  /** An origin of its own for apps and their data. */
  readonly publicUrl: string | undefined;
  /** Where what can be made again is kept, such as compressed files; undefined: nowhere. */
  readonly cacheFolder: string | undefined;
  /** Addresses of proxies whose X-Forwarded-* headers count; false: none. */
  readonly trustProxy: false | string[];
  readonly tokenLifetimeMs: number;
  readonly sessionLifetimeMs: number;
  readonly passwordCost: PasswordCost;
  /** How long an upload may send nothing while it is waited for. */
  readonly uploadIdleMs: number;
  /** How long what was deleted can be restored. */
  readonly trashLifetimeMs: number;
  /** How long content that was replaced is kept, and at most how many revisions of one file. */
  readonly keepRevisionsMs: number;
  readonly keepRevisions: number;
  /** How long after its last request a resumable upload can go on. */
  readonly uploadLifetimeMs: number;
  /** Has uploads looked into by a runner, as soon as one has nothing else to do. */
  readonly inspectUploads: boolean;
  /** Of a single file; undefined: no limit but the quota. */
  readonly maxFileBytes: number | undefined;
  /** Of projects that have none of their own; undefined: no limit. */
  readonly quotaBytes: number | undefined;
  readonly quotaObjects: number | undefined;
  /** How long after their end jobs are kept, and how many of one task, of projects that say nothing of it. */
  readonly keepJobsDays: number;
  readonly keepJobs: number;
  /** How many jobs may run at once, of projects that say nothing of it; undefined: any number. */
  readonly maxRunningJobs: number | undefined;
  /** How long an attempt of a job may take, of tasks that say nothing of it. */
  readonly jobTimeoutMs: number;
  /** Below it jobs may publish to folders; undefined: to none. */
  readonly publishFolder: string | undefined;
  /** What may be fetched beside the public web over https: `http`, and networks such as 10.20.0.0/16. */
  readonly fetchAllow: string;
}

const hourMs = 3_600_000;

export const defaultSettings: Settings = {
  baseUrl: undefined,
  publicUrl: undefined,
  cacheFolder: undefined,
  trustProxy: false,
  tokenLifetimeMs: 24 * hourMs,
  sessionLifetimeMs: 12 * hourMs,
  passwordCost: defaultPasswordCost,
  uploadIdleMs: 60_000,
  trashLifetimeMs: 30 * 24 * hourMs,
  keepRevisionsMs: 30 * 24 * hourMs,
  keepRevisions: 20,
  uploadLifetimeMs: 72 * hourMs, // over a weekend
  inspectUploads: true,
  maxFileBytes: undefined,
  quotaBytes: undefined,
  quotaObjects: undefined,
  keepJobsDays: 90,
  keepJobs: 1000,
  maxRunningJobs: undefined,
  jobTimeoutMs: 24 * hourMs,
  publishFolder: undefined,
  fetchAllow: '',
};

/** @throws Error with one clear line when a variable cannot be understood. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const dataFolder = resolve(env['PLATEN_DATA'] || './data');
  const storage = storageOf(env['PLATEN_STORAGE'], dataFolder);
  return {
    host: env['PLATEN_HOST'] || '127.0.0.1',
    port: wholeNumber(env, 'PLATEN_PORT', 8080, 65_535),
    dataFolder,
    databaseUrl: env['DATABASE_URL'] || undefined,
    storage,
    runners: wholeNumber(env, 'PLATEN_RUNNERS', 1, 64),
    jobLimits: jobLimits(env),
    enrolmentToken: enrolmentToken(env),
    secretKeys: env['PLATEN_SECRET_KEY'] || undefined,
    secretKeyFile: env['PLATEN_SECRET_KEY_FILE'] || undefined,
    adminUsername: env['PLATEN_ADMIN_USERNAME'] || 'admin',
    adminPassword: env['PLATEN_ADMIN_PASSWORD'] || undefined,
    logLevel: env['PLATEN_LOG_LEVEL'] || undefined,
    metricsPort: wholeNumber(env, 'PLATEN_METRICS_PORT', 0, 65_535),
    settings: {
      ...defaultSettings,
      baseUrl: address(env, 'PLATEN_BASE_URL'),
      publicUrl: address(env, 'PLATEN_PUBLIC_URL'),
      cacheFolder: join(dataFolder, 'cache'),
      trustProxy: env['PLATEN_TRUST_PROXY']
        ? env['PLATEN_TRUST_PROXY'].split(/[\s,]+/).filter(Boolean)
        : false,
      trashLifetimeMs: wholeNumber(env, 'PLATEN_TRASH_DAYS', 30, 36_500) * 24 * hourMs,
      keepRevisionsMs: wholeNumber(env, 'PLATEN_KEEP_REVISIONS_DAYS', 30, 36_500) * 24 * hourMs,
      keepRevisions: wholeNumber(env, 'PLATEN_KEEP_REVISIONS', 20, 1_000_000),
      inspectUploads: isOn(env, 'PLATEN_INSPECT_UPLOADS'),
      maxFileBytes: limit(env, 'PLATEN_MAX_FILE_BYTES'),
      quotaBytes: limit(env, 'PLATEN_QUOTA_BYTES'),
      quotaObjects: limit(env, 'PLATEN_QUOTA_OBJECTS'),
      keepJobsDays: wholeNumber(env, 'PLATEN_KEEP_JOBS_DAYS', 90, 36_500),
      keepJobs: atLeastOne(env, 'PLATEN_KEEP_JOBS', 1000, 1_000_000),
      maxRunningJobs: limit(env, 'PLATEN_MAX_RUNNING_JOBS', 1_000_000),
      jobTimeoutMs: atLeastOne(env, 'PLATEN_JOB_TIMEOUT_HOURS', 24, 720) * hourMs,
      publishFolder: publishFolder(env, [dataFolder, storage.replace(/^file:/, '')]),
      fetchAllow: fetchAllow(env['PLATEN_FETCH_ALLOW'] ?? ''),
    },
  };
}

function storageOf(value: string | undefined, dataFolder: string): string {
  if (!value) return `file:${resolve(dataFolder, 'objects')}`;
  if (!value.startsWith('file:')) return value;
  const folder = value.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  return `file:${isAbsolute(folder) ? folder : resolve(folder)}`;
}

/** What is published replaces what lies there: nothing of the service may. @param own folders of the service */
function publishFolder(env: NodeJS.ProcessEnv, own: readonly string[]): string | undefined {
  const value = env['PLATEN_PUBLISH_FOLDER'];
  if (!value) return undefined;
  const folder = resolve(value);
  const isIn = (one: string, other: string) =>
    `${one}${sep}`.startsWith(other === sep ? sep : `${other}${sep}`);
  if (!own.some((one) => isIn(one, folder) || isIn(folder, one))) return folder;
  throw new Error('PLATEN_PUBLISH_FOLDER must neither contain the data of the service nor be inside it.');
}

function isOn(env: NodeJS.ProcessEnv, name: string): boolean {
  const value = env[name] || 'on';
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error(`${name} must be on or off, not “${value}”.`);
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, otherwise: number, max: number): number {
  const value = env[name];
  if (!value) return otherwise;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw new Error(`${name} must be a whole number from 0 to ${max}, not “${value}”.`);
}

/** The runners read it; what cannot be meant is told at the start already. */
function fetchAllow(value: string): string {
  const isKnown = (word: string) => word === 'http' || /^[\da-f.:]+\/\d{1,3}$/i.test(word);
  const unknown = value.split(/[\s,]+/).find((word) => word !== '' && !isKnown(word));
  if (unknown === undefined) return value;
  throw new Error(
    `PLATEN_FETCH_ALLOW takes the word http and networks such as 10.20.0.0/16, not “${unknown}”.`,
  );
}

function jobLimits(env: NodeJS.ProcessEnv): Partial<JobLimits> {
  const memoryMegabytes = limit(env, 'PLATEN_RUNNER_MEMORY_MB', mostOfLimit);
  if (memoryMegabytes !== undefined && memoryMegabytes < 128)
    throw new Error('PLATEN_RUNNER_MEMORY_MB must be at least 128.');
  const cpuSeconds = limit(env, 'PLATEN_RUNNER_CPU_SECONDS', mostOfLimit);
  const scratchMegabytes = limit(env, 'PLATEN_RUNNER_SCRATCH_MB', mostOfLimit);
  return {
    ...(memoryMegabytes !== undefined && { memoryMegabytes }),
    ...(cpuSeconds && { cpuSeconds }), // 0: no limit
    ...(scratchMegabytes && { scratchMegabytes }),
  };
}

const mostOfLimit = 1_000_000_000;

function limit(
  env: NodeJS.ProcessEnv,
  name: string,
  max: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  return env[name] ? wholeNumber(env, name, 0, max) : undefined;
}

function atLeastOne(env: NodeJS.ProcessEnv, name: string, otherwise: number, max: number): number {
  const number = wholeNumber(env, name, otherwise, max);
  if (number > 0) return number;
  throw new Error(`${name} must be a whole number from 1 to ${max}, not “${env[name]}”.`);
}

/** Whoever guesses it gets jobs with their data to run. */
function enrolmentToken(env: NodeJS.ProcessEnv): string | undefined {
  const value = env['PLATEN_ENROLMENT_TOKEN'];
  if (!value || value.length >= 24) return value || undefined;
  throw new Error(
    'PLATEN_ENROLMENT_TOKEN must have at least 24 characters. “openssl rand -hex 24” generates one.',
  );
}

function address(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new Error(`${name} must be an http(s) address such as https://maps.example.org, not “${value}”.`);
  }
  return value.replace(/\/+$/, '');
}
