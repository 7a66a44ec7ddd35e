import { hostname, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface RunnerConfig {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  /** A token of its own, or one to enrol with. */
  readonly token: string | undefined;
  readonly enrolmentToken: string | undefined;
  readonly name: string;
  readonly labels: readonly string[];
  readonly scratchFolder: string;
  /** What the process of a job may take, in MB. */
  readonly memoryMegabytes: number;
  /** Runs beside the service that started it, and ends with it. */
  readonly isEmbedded: boolean;
}

/** What an embedded runner is told on the first line of its standard input, where no other process can read it. */
export type EmbeddedConfig = Pick<RunnerConfig, 'url' | 'name' | 'labels' | 'scratchFolder'> & {
  readonly token: string;
  readonly memoryMegabytes?: number;
};

const megabyte = 1024 * 1024;

/** @throws Error with one clear line when something is missing */
export async function readConfig(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  input: NodeJS.ReadableStream,
): Promise<RunnerConfig> {
  const memoryMegabytes = memoryOf(env['PLATEN_RUNNER_MEMORY_MB']);
  if (args.includes('--embedded')) {
    const told = JSON.parse(await firstLine(input)) as EmbeddedConfig;
    return { enrolmentToken: undefined, isEmbedded: true, memoryMegabytes, ...told };
  }
  const token = env['PLATEN_RUNNER_TOKEN'] || undefined;
  const enrolmentToken = env['PLATEN_ENROLMENT_TOKEN'] || undefined;
  if (token === undefined && enrolmentToken === undefined)
    throw new Error('Set PLATEN_RUNNER_TOKEN, or PLATEN_ENROLMENT_TOKEN to enrol with.');
  return {
    url: addressOf(env['PLATEN_URL']),
    token,
    enrolmentToken,
    name: env['PLATEN_RUNNER_NAME'] || `${hostname()} ${process.pid}`,
    labels: (env['PLATEN_RUNNER_LABELS'] ?? '').split(/[\s,]+/).filter(Boolean),
    scratchFolder: resolve(env['PLATEN_RUNNER_SCRATCH'] || join(tmpdir(), 'platen-runner')),
    memoryMegabytes,
    isEmbedded: false,
  };
}

function addressOf(value: string | undefined): string {
  if (value && URL.canParse(value) && /^https?:/.test(value)) return value.replace(/\/+$/, '');
  throw new Error('Set PLATEN_URL to the address of the service, such as https://maps.example.org.');
}

function memoryOf(value: string | undefined): number {
  if (!value) return Math.max(1024, Math.min(8192, Math.floor((totalmem() / megabyte) * 0.6)));
  const number = Number(value);
  if (Number.isInteger(number) && number >= 128) return number;
  throw new Error(`PLATEN_RUNNER_MEMORY_MB must be a whole number of at least 128, not “${value}”.`);
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) return line;
  throw new Error('An embedded runner is told its settings on the first line of its standard input.');
}
