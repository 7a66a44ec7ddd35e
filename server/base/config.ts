import { isAbsolute, join, resolve, sep } from 'node:path';
import type { S3Credentials } from '@platen/storage/s3-setting';
import type { JobLimits } from '@platen/processing/job-type';
import { dataFolderOf } from './data-folder.ts';
import { maxTokenDays } from '@platen/contract/access-tokens';
import { atLeastOne, isOn, limit, numberFrom, wholeNumber, words } from './environment-values.ts';
import { findChromium } from './find-chromium.ts';
import { readEnrolmentToken, readS3Credentials, readSecret } from './secret-settings.ts';
import { defaultPasswordCost, type PasswordCost } from './secrets/passwords.ts';

/** Settings of the operator. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  /** Address of a PostgreSQL server; undefined: the embedded one. */
  readonly databaseUrl: string | undefined;
  /** `file:<folder>` or `s3://bucket?endpoint=…` */
  readonly storage: string;
  /** undefined: from another source that the SDK of AWS knows. */
  readonly s3Credentials: S3Credentials | undefined;
  readonly runners: number;
  /** Limits for jobs of embedded runners; the runners choose defaults for the others. */
  readonly jobLimits: Partial<JobLimits>;
  /** Allows external runners to enrol; undefined: none may. */
  readonly enrolmentToken: string | undefined;
  /** Keys for encrypting credentials, as text; undefined: read from `secretKeyFile`. */
  readonly secretKeys: string | undefined;
  /** undefined: a file in the data folder, created at the first start. */
  readonly secretKeyFile: string | undefined;
  readonly adminUsername: string;
  /** undefined: generated and printed once. */
  readonly adminPassword: string | undefined;
  /** undefined: warnings at a terminal, otherwise everything from `info`. */
  readonly logLevel: string | undefined;
  /** Port for Prometheus; 0: none. */
  readonly metricsPort: number;
  readonly settings: Settings;
}

/** The settings that operations use. */
export interface Settings {
  /** Address that clients use, without a trailing slash; undefined: taken from each request. */
  readonly baseUrl: string | undefined;
  /** Separate origin for apps and their data. */
  readonly publicUrl: string | undefined;
  /** Folder for files that can be recreated, such as compressed ones; undefined: none. */
  readonly cacheFolder: string | undefined;
  /** Program that renders pictures of public apps; undefined: they are painted. */
  readonly chromium: string | undefined;
  /** Proxies whose X-Forwarded-* headers are trusted. */
  readonly trustProxy: false | string[];
  /** Hosts at which clients may use the service besides those of `baseUrl` and `publicUrl`, once `baseUrl` is set. */
  readonly allowedHosts: readonly string[];
  /** Hosts that browsers reach only over https after a visit, if the service is at https. */
  readonly strictTransportFor: 'host' | 'subdomains' | 'none';
  /** Maximum of a replica. */
  readonly maxConnections: number;
  /** Connections, and concurrent requests, of an IPv4 address or an IPv6 /64. */
  readonly maxConnectionsPerAddress: number;
  /** For bodies of JSON and forms. */
  readonly bodyTimeoutMs: number;
  readonly tokenLifetimeMs: number;
  readonly sessionLifetimeMs: number;
  /** A session of the web interface ends after this time without requests. */
  readonly sessionIdleMs: number;
  /** Longest life of an access token in days; 0: they need not have an end. */
  readonly maxTokenDays: number;
  readonly passwordCost: PasswordCost;
  /** For passwords that are chosen from now on. */
  readonly minPasswordLength: number;
  /** The same for administrators and super users. */
  readonly minAdminPasswordLength: number;
  /** How long entries of the audit log are kept; the database keeps those of the last 30 days. */
  readonly keepAuditMs: number;
  /** How long failed logins delay the next ones at most. */
  readonly maxLoginDelayMs: number;
  /** Maximum time without data during an upload. */
  readonly uploadIdleMs: number;
  /** How long deleted resources can be restored. */
  readonly trashLifetimeMs: number;
  /** How long replaced content is kept, and the maximum number of revisions per file. */
  readonly keepRevisionsMs: number;
  readonly keepRevisions: number;
  /** How long a resumable upload can be resumed after its last request. */
  readonly uploadLifetimeMs: number;
  /** Inspects uploaded files as soon as a runner is idle. */
  readonly inspectUploads: boolean;
  /** Maximum size of one file; undefined: only the quota applies. */
  readonly maxFileBytes: number | undefined;
  /** Default quota of a project; undefined: unlimited. */
  readonly quotaBytes: number | undefined;
  readonly quotaObjects: number | undefined;
  /** Defaults of a project: days that ended jobs are kept, and jobs kept per task. */
  readonly keepJobsDays: number;
  readonly keepJobs: number;
  /** Default maximum of concurrent jobs per project; undefined: unlimited. */
  readonly maxRunningJobs: number | undefined;
  /** Maximum of a project. */
  readonly maxTasks: number;
  /** Default timeout of one attempt of a job. */
  readonly jobTimeoutMs: number;
  /** Folder that jobs may publish below; undefined: publishing to folders is disabled. */
  readonly publishFolder: string | undefined;
  /** Folder with further geoid grids for jobs. */
  readonly geoidFolder: string | undefined;
  /** Exceptions for outgoing requests besides public https addresses: `http`, and networks such as 10.20.0.0/16. */
  readonly fetchAllow: string;
}

const hourMs = 3_600_000;
const maxLimit = 1_000_000_000;

export const defaultSettings: Settings = {
  baseUrl: undefined,
  publicUrl: undefined,
  cacheFolder: undefined,
  chromium: undefined,
  trustProxy: false,
  allowedHosts: [],
  strictTransportFor: 'host',
  maxConnections: 8192,
  maxConnectionsPerAddress: 1024,
  bodyTimeoutMs: 30_000,
  tokenLifetimeMs: 24 * hourMs,
  sessionLifetimeMs: 12 * hourMs,
  sessionIdleMs: 2 * hourMs,
  maxTokenDays: 365,
  passwordCost: defaultPasswordCost,
  minPasswordLength: 8,
  minAdminPasswordLength: 12,
  maxLoginDelayMs: 5000,
  keepAuditMs: 400 * 24 * hourMs,
  uploadIdleMs: 60_000,
  trashLifetimeMs: 30 * 24 * hourMs,
  keepRevisionsMs: 30 * 24 * hourMs,
  keepRevisions: 20,
  uploadLifetimeMs: 72 * hourMs, // long enough for a weekend
  inspectUploads: true,
  maxFileBytes: undefined,
  quotaBytes: undefined,
  quotaObjects: undefined,
  keepJobsDays: 90,
  keepJobs: 1000,
  maxRunningJobs: undefined,
  maxTasks: 100_000,
  jobTimeoutMs: 24 * hourMs,
  publishFolder: undefined,
  geoidFolder: undefined,
  fetchAllow: '',
};

/** Reads the settings. @throws Error with one clear line if a variable is invalid */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const dataFolder = dataFolderOf(env);
  const storage = storageOf(env['PLATEN_STORAGE'], dataFolder);
  return {
    host: env['PLATEN_HOST'] || '127.0.0.1',
    port: wholeNumber(env, 'PLATEN_PORT', 8080, 65_535),
    dataFolder,
    databaseUrl: readSecret(env, 'DATABASE_URL'),
    storage,
    s3Credentials: readS3Credentials(env),
    runners: wholeNumber(env, 'PLATEN_RUNNERS', 1, 64),
    jobLimits: jobLimits(env),
    enrolmentToken: readEnrolmentToken(env),
    secretKeys: env['PLATEN_SECRET_KEY'] || undefined,
    secretKeyFile: env['PLATEN_SECRET_KEY_FILE'] || undefined,
    adminUsername: env['PLATEN_ADMIN_USERNAME'] || 'admin',
    adminPassword: readSecret(env, 'PLATEN_ADMIN_PASSWORD'),
    logLevel: env['PLATEN_LOG_LEVEL'] || undefined,
    metricsPort: wholeNumber(env, 'PLATEN_METRICS_PORT', 0, 65_535),
    settings: {
      ...defaultSettings,
      baseUrl: address(env, 'PLATEN_BASE_URL'),
      publicUrl: address(env, 'PLATEN_PUBLIC_URL'),
      cacheFolder: join(dataFolder, 'cache'),
      chromium: findChromium(env['PLATEN_CHROMIUM']),
      trustProxy: env['PLATEN_TRUST_PROXY'] ? words(env['PLATEN_TRUST_PROXY']) : false,
      allowedHosts: allowedHosts(env['PLATEN_ALLOWED_HOSTS'] ?? ''),
      strictTransportFor: strictTransportFor(env['PLATEN_HSTS'] || 'host'),
      maxConnections: atLeastOne(env, 'PLATEN_MAX_CONNECTIONS', 8192, 1_000_000),
      maxConnectionsPerAddress: atLeastOne(env, 'PLATEN_MAX_CONNECTIONS_PER_ADDRESS', 1024, 1_000_000),
      sessionIdleMs:
        numberFrom(env, 'PLATEN_SESSION_IDLE_MINUTES', { min: 5, otherwise: 120, max: 720 }) * 60_000,
      maxTokenDays: numberFrom(env, 'PLATEN_MAX_TOKEN_DAYS', { min: 0, otherwise: 365, max: maxTokenDays }),
      minPasswordLength: numberFrom(env, 'PLATEN_MIN_PASSWORD_LENGTH', { min: 8, otherwise: 8, max: 64 }),
      minAdminPasswordLength: numberFrom(env, 'PLATEN_MIN_ADMIN_PASSWORD_LENGTH', {
        min: 8,
        otherwise: 12,
        max: 64,
      }),
      keepAuditMs:
        numberFrom(env, 'PLATEN_KEEP_AUDIT_DAYS', { min: 30, otherwise: 400, max: 36_500 }) * 24 * hourMs,
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
      maxTasks: atLeastOne(env, 'PLATEN_MAX_TASKS', 100_000, 10_000_000),
      jobTimeoutMs: atLeastOne(env, 'PLATEN_JOB_TIMEOUT_HOURS', 24, 720) * hourMs,
      publishFolder: publishFolder(env, [dataFolder, storage.replace(/^file:/, '')]),
      geoidFolder: env['PLATEN_GEOIDS'] ? resolve(env['PLATEN_GEOIDS']) : undefined,
      fetchAllow: fetchAllow(env['PLATEN_FETCH_ALLOW'] ?? ''),
    },
  };
}

/** Hostnames as in a Host header, without ports. */
function allowedHosts(value: string): readonly string[] {
  return words(value).map((word) => {
    const host = URL.canParse(`http://${word}`) ? new URL(`http://${word}`) : undefined;
    if (host?.host === word.toLowerCase() && host.port === '') return host.host;
    throw new Error(
      `PLATEN_ALLOWED_HOSTS takes names and addresses such as platen or 10.0.0.5, not “${word}”.`,
    );
  });
}

function strictTransportFor(value: string): Settings['strictTransportFor'] {
  if (value === 'host' || value === 'subdomains' || value === 'none') return value;
  throw new Error(`PLATEN_HSTS must be host, subdomains or none, not “${value}”.`);
}

function storageOf(value: string | undefined, dataFolder: string): string {
  if (!value) return `file:${resolve(dataFolder, 'objects')}`;
  if (!value.startsWith('file:')) return value;
  const folder = value.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  return `file:${isAbsolute(folder) ? folder : resolve(folder)}`;
}

/**
 * Publishing overwrites files, so the folder must be apart from those of the service.
 * @param own folders of the service
 */
function publishFolder(env: NodeJS.ProcessEnv, own: readonly string[]): string | undefined {
  const value = env['PLATEN_PUBLISH_FOLDER'];
  if (!value) return undefined;
  const folder = resolve(value);
  const isIn = (one: string, other: string) =>
    `${one}${sep}`.startsWith(other === sep ? sep : `${other}${sep}`);
  if (!own.some((one) => isIn(one, folder) || isIn(folder, one))) return folder;
  throw new Error('PLATEN_PUBLISH_FOLDER must neither contain the data of the service nor be inside it.');
}

/** Only runners use the value; it is validated at the start of the service to report mistakes early. */
function fetchAllow(value: string): string {
  const isKnown = (word: string) => word === 'http' || /^[\da-f.:]+\/\d{1,3}$/i.test(word);
  const unknown = value.split(/[\s,]+/).find((word) => word !== '' && !isKnown(word));
  if (unknown === undefined) return value;
  throw new Error(
    `PLATEN_FETCH_ALLOW takes the word http and networks such as 10.20.0.0/16, not “${unknown}”.`,
  );
}

function jobLimits(env: NodeJS.ProcessEnv): Partial<JobLimits> {
  const memoryMegabytes = limit(env, 'PLATEN_RUNNER_MEMORY_MB', maxLimit);
  if (memoryMegabytes !== undefined && memoryMegabytes < 128)
    throw new Error('PLATEN_RUNNER_MEMORY_MB must be at least 128.');
  const cpuSeconds = limit(env, 'PLATEN_RUNNER_CPU_SECONDS', maxLimit);
  const scratchMegabytes = limit(env, 'PLATEN_RUNNER_SCRATCH_MB', maxLimit);
  return {
    ...(memoryMegabytes !== undefined && { memoryMegabytes }),
    ...(cpuSeconds && { cpuSeconds }), // 0: no limit
    ...(scratchMegabytes && { scratchMegabytes }),
  };
}

function address(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new Error(`${name} must be an http(s) address such as https://maps.example.org, not “${value}”.`);
  }
  return value.replace(/(?<!\/)\/+$/, '');
}
