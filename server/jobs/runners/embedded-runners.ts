import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JobLimits } from '@platen/processing/job-type';
import type { Context } from '../../base/context.ts';
import { newId } from '../../base/ids.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { version } from '../../base/version.ts';
import { releaseLost } from '../queue/maintenance.ts';
import { enrolRunner } from './enrolment-store.ts';

interface EmbeddedOptions {
  readonly count: number;
  /** The address of this service for the runners. */
  readonly url: string;
  /** Shared by all embedded runners, so that one can resume what another has left behind. */
  readonly scratchFolder: string;
  readonly labels?: readonly string[];
  /** Limits of each job; the runner has defaults for the others. */
  readonly limits?: Partial<JobLimits>;
  readonly fetchAllow?: string;
  readonly publishFolder?: string | undefined;
  readonly geoidFolder?: string | undefined;
}

export interface EmbeddedRunners {
  /** The process ID of each runner; undefined between a crash and the restart. */
  readonly pids: () => (number | undefined)[];
  /** Lets the runners return their jobs and stops them. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../../runner/main.ts', import.meta.url));
/** Loaded before the program. */
const packages = new URL('../../base/packages/load.ts', import.meta.url).href;

const stopWithinMs = 10_000;

const restartDelays = { minMs: 100, maxMs: 10_000, resetAfterMs: 60_000 };

/**
 * Starts embedded runners, each a separate process that uses HTTP like any other runner. A runner that dies
 * is restarted, and its jobs return to the queue at once.
 */
export async function startEmbeddedRunners(
  context: Context,
  options: EmbeddedOptions,
): Promise<EmbeddedRunners> {
  const stopping = new AbortController();
  const runners = Array.from({ length: options.count }, (_, index) => ({
    process: undefined as ChildProcess | undefined,
    name: `embedded ${index + 1} of ${options.url} on ${hostname()}`,
    scratchFolder: options.scratchFolder,
  }));
  await removeOldFolders(options.scratchFolder);
  const done = runners.map(async (runner) => {
    let delayMs = restartDelays.minMs;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      try {
        await runOnce(context, { ...options, signal: stopping.signal }, runner);
      } catch (error) {
        context.log.error({ err: error }, 'an embedded runner could not be started');
      }
      if (stopping.signal.aborted) return;
      context.log.warn(
        { runner: runner.name, pauseMs: delayMs },
        'an embedded runner ended and is restarted',
      );
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      const hasRunLong = performance.now() - startedAt > restartDelays.resetAfterMs;
      delayMs = hasRunLong ? restartDelays.minMs : Math.min(delayMs * 2, restartDelays.maxMs);
    }
  });
  return {
    pids: () => runners.map((runner) => runner.process?.pid),
    async stop() {
      stopping.abort();
      for (const runner of runners) runner.process?.kill('SIGTERM');
      const killing = setTimeout(() => {
        for (const runner of runners) runner.process?.kill('SIGKILL');
      }, stopWithinMs);
      await Promise.all(done);
      clearTimeout(killing);
    },
  };
}

/** Earlier versions had a folder for each runner. */
async function removeOldFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (/^runner-\d+$/.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

interface EmbeddedProcess {
  process: ChildProcess | undefined;
  readonly name: string;
  readonly scratchFolder: string;
}

/** Runs one process of a runner from start to exit. */
async function runOnce(
  context: Context,
  options: EmbeddedOptions & { readonly signal: AbortSignal },
  runner: EmbeddedProcess,
): Promise<void> {
  const { db, now } = context;
  const { name, scratchFolder } = runner;
  const { url, labels = [], limits, fetchAllow = '', publishFolder, geoidFolder } = options;
  const token = newSecret();
  const row = {
    id: newId(now()),
    name,
    labels: [...labels],
    version,
    tokenHash: hashSecret(token),
    isEmbedded: true,
    now: now(),
  };
  const runnerId = await enrolRunner(db, row);
  if (runnerId === undefined) throw new Error(`A runner on another machine has the name “${name}”.`);
  await releaseLost(context, runnerId); // the jobs of its previous process
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 });
  if (options.signal.aborted) return;
  const child = spawn(process.execPath, [`--import=${packages}`, program, '--embedded'], {
    env: compileCache(),
    cwd: scratchFolder,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true, // Ctrl-C in the terminal is for the service, which stops its runners
  });
  runner.process = child;
  const startup = {
    url,
    name,
    labels,
    scratchFolder,
    token,
    fetchAllow,
    publishFolder, // JSON omits them if undefined
    geoidFolder,
    ...limits,
  };
  child.stdin.on('error', () => {}); // the process ended before it read its settings; its exit is handled below
  child.stdin.write(`${JSON.stringify(startup)}\n`);
  forwardLog(context, child, name);
  try {
    await once(child, 'exit');
  } finally {
    runner.process = undefined;
    await releaseLost(context, runnerId);
  }
}

function forwardLog({ log }: Context, child: ChildProcess, runner: string): void {
  createInterface({ input: child.stderr! }).on('line', (line) => {
    try {
      const { level, message, time: _time, ...data } = JSON.parse(line) as Record<string, unknown>;
      log[level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'info'](
        { ...data, runner },
        String(message),
      );
    } catch {
      log.warn({ runner }, line);
    }
  });
}

/** Runners neither strip types nor compile what this service has on disk; they inherit no other variable. */
function compileCache(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir(); // that of this version of Node, in the folder of all versions
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
