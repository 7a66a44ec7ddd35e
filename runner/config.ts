import { readFile } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { JobLimits } from '@platen/processing/job-type';
import { parseEgressPolicy, type EgressPolicy } from '@platen/egress/policy';

export interface RunnerConfig extends JobLimits {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  /** The runner's own token or an enrolment token; undefined if it has enrolled before. */
  readonly token: string | undefined;
  /** undefined: the name it had before, or else the host name. */
  readonly name: string | undefined;
  readonly labels: readonly string[];
  readonly scratchFolder: string;
  /** The addresses that inputs may be fetched from and jobs may publish to. */
  readonly egressPolicy: EgressPolicy;
  /** The folder that jobs may publish below; undefined: publishing to this machine is disabled. */
  readonly publishFolder: string | undefined;
  /** The folder with further geoid grids, which jobs may read; undefined: only those of the installation. */
  readonly geoidFolder: string | undefined;
  /** True if the service started this runner on its own machine and ends it. */
  readonly isEmbedded: boolean;
}

/**
 * The settings that the service writes to the first line of an embedded runner's standard input, where no other
 * process can read them.
 */
export type EmbeddedConfig = Pick<RunnerConfig, 'url' | 'labels' | 'scratchFolder'> & {
  readonly name: string;
  readonly token: string;
  /** The value of PLATEN_FETCH_ALLOW. */
  readonly fetchAllow?: string;
  readonly publishFolder?: string;
  readonly geoidFolder?: string;
} & Partial<JobLimits>;

/** Identifies the service in files on the runner's disk. Embedded runners share one name, as the port may change. */
export function serviceOf({ isEmbedded, url }: Pick<RunnerConfig, 'isEmbedded' | 'url'>): string {
  return isEmbedded ? 'embedded' : url;
}

const megabyte = 1024 * 1024;

/** @throws Error with one clear line when something is missing */
export async function readConfig(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  input: NodeJS.ReadableStream,
): Promise<RunnerConfig> {
  const limits = limitsOf(env);
  if (args.includes('--embedded')) {
    const settings = JSON.parse(await firstLine(input)) as EmbeddedConfig;
    const { fetchAllow = '', ...config } = settings;
    const egressPolicy = parseEgressPolicy(fetchAllow);
    return {
      isEmbedded: true,
      egressPolicy,
      publishFolder: undefined,
      geoidFolder: undefined,
      ...limits,
      ...config,
    };
  }
  return {
    url: addressOf(env['PLATEN_URL']),
    token: await tokenOf(env),
    name: env['PLATEN_RUNNER_NAME'] || undefined,
    labels: (env['PLATEN_RUNNER_LABELS'] ?? '').split(/[\s,]+/).filter(Boolean),
    scratchFolder: resolve(env['PLATEN_RUNNER_SCRATCH'] || join(tmpdir(), 'platen-runner')),
    ...limits,
    egressPolicy: parseEgressPolicy(env['PLATEN_FETCH_ALLOW'] ?? ''),
    publishFolder: env['PLATEN_PUBLISH_FOLDER'] ? resolve(env['PLATEN_PUBLISH_FOLDER']) : undefined,
    geoidFolder: env['PLATEN_GEOIDS'] ? resolve(env['PLATEN_GEOIDS']) : undefined,
    isEmbedded: false,
  };
}

function addressOf(value: string | undefined): string {
  if (value && URL.canParse(value) && /^https?:/.test(value)) return value.replace(/(?<!\/)\/+$/, '');
  throw new Error('Set PLATEN_URL to the address of the service, such as https://maps.example.org.');
}

/** Variables with secrets, which the process does not keep. */
export const tokenVariables = ['PLATEN_RUNNER_TOKEN', 'PLATEN_ENROLMENT_TOKEN'];

/** A token file keeps the token out of process lists and out of the container's environment. */
async function tokenOf(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const path = env['PLATEN_RUNNER_TOKEN_FILE'];
  if (!path) return env['PLATEN_RUNNER_TOKEN'] || env['PLATEN_ENROLMENT_TOKEN'] || undefined;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The token file ${path} cannot be read: ${error.code}.`, { cause: error });
  });
  const token = text.trim();
  if (token !== '' && !/\s/.test(token)) return token;
  throw new Error(`The file ${path} must hold one token and nothing else.`);
}

function limitsOf(env: NodeJS.ProcessEnv): JobLimits {
  const cpuSeconds = wholeNumber(env, 'PLATEN_RUNNER_CPU_SECONDS', 0);
  const scratchMegabytes = wholeNumber(env, 'PLATEN_RUNNER_SCRATCH_MB', 0);
  const usual = Math.max(1024, Math.min(8192, Math.floor((totalmem() / megabyte) * 0.6)));
  return {
    memoryMegabytes: wholeNumber(env, 'PLATEN_RUNNER_MEMORY_MB', 128) ?? usual,
    ...(cpuSeconds && { cpuSeconds }), // 0: no limit
    ...(scratchMegabytes && { scratchMegabytes }),
  };
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, min: number): number | undefined {
  const value = env[name];
  if (!value) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= min && number <= 1_000_000_000) return number;
  throw new Error(`${name} must be a whole number of at least ${min}, not “${value}”.`);
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) return line;
  throw new Error('An embedded runner expects its settings on the first line of its standard input.');
}
