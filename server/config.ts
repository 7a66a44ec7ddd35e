import { isAbsolute, resolve } from 'node:path';

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
  /** Lets runners on other machines enrol; undefined: none may. */
  readonly enrolmentToken: string | undefined;
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
  /** Addresses of proxies whose X-Forwarded-* headers count; false: none. */
  readonly trustProxy: false | string[];
  readonly tokenLifetimeMs: number;
  readonly sessionLifetimeMs: number;
  /** How long an upload may send nothing while it is waited for. */
  readonly uploadIdleMs: number;
}

const hourMs = 3_600_000;

export const defaultSettings: Settings = {
  baseUrl: undefined,
  publicUrl: undefined,
  trustProxy: false,
  tokenLifetimeMs: 24 * hourMs,
  sessionLifetimeMs: 12 * hourMs,
  uploadIdleMs: 60_000,
};

/** @throws Error with one clear line when a variable cannot be understood. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const dataFolder = resolve(env['PLATEN_DATA'] || './data');
  return {
    host: env['PLATEN_HOST'] || '127.0.0.1',
    port: wholeNumber(env, 'PLATEN_PORT', 8080, 65_535),
    dataFolder,
    databaseUrl: env['DATABASE_URL'] || undefined,
    storage: storageOf(env['PLATEN_STORAGE'], dataFolder),
    runners: wholeNumber(env, 'PLATEN_RUNNERS', 1, 64),
    enrolmentToken: enrolmentToken(env),
    adminUsername: env['PLATEN_ADMIN_USERNAME'] || 'admin',
    adminPassword: env['PLATEN_ADMIN_PASSWORD'] || undefined,
    logLevel: env['PLATEN_LOG_LEVEL'] || undefined,
    metricsPort: wholeNumber(env, 'PLATEN_METRICS_PORT', 0, 65_535),
    settings: {
      ...defaultSettings,
      baseUrl: address(env, 'PLATEN_BASE_URL'),
      publicUrl: address(env, 'PLATEN_PUBLIC_URL'),
      trustProxy: env['PLATEN_TRUST_PROXY']
        ? env['PLATEN_TRUST_PROXY'].split(/[\s,]+/).filter(Boolean)
        : false,
    },
  };
}

function storageOf(value: string | undefined, dataFolder: string): string {
  if (!value) return `file:${resolve(dataFolder, 'objects')}`;
  if (!value.startsWith('file:')) return value;
  const folder = value.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  return `file:${isAbsolute(folder) ? folder : resolve(folder)}`;
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, otherwise: number, max: number): number {
  const value = env[name];
  if (!value) return otherwise;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw new Error(`${name} must be a whole number from 0 to ${max}, not “${value}”.`);
}

/** Whoever guesses it gets jobs with their data to run. */
function enrolmentToken(env: NodeJS.ProcessEnv): string | undefined {
  const value = env['PLATEN_ENROLMENT_TOKEN'];
  if (!value || value.length >= 24) return value || undefined;
  throw new Error(
    'PLATEN_ENROLMENT_TOKEN must have at least 24 characters; “openssl rand -hex 24” makes a good one.',
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
