import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
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
  /** Where the runners reach this service. */
  readonly url: string;
  /** Of all of them: what one leaves behind that dies, another can go on with. */
  readonly scratchFolder: string;
  readonly labels?: readonly string[];
  /** Of each of their jobs; what is not named the runner decides. */
  readonly limits?: Partial<JobLimits>;
  readonly fetchAllow?: string;
  readonly publishFolder?: string | undefined;
}

export interface EmbeddedRunners {
  /** The process of each runner; undefined between a crash and the next start. */
  readonly pids: () => (number | undefined)[];
  /** The runners give back what they hold, then they end. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../../runner/main.ts', import.meta.url));

const stopWithinMs = 10_000;

const restartDelays = { minMs: 100, maxMs: 10_000, resetAfterMs: 60_000 };

/**
 * Runs processing runners beside the service, each a process of its own that speaks HTTP like any other runner. One
 * that dies is started again, and what it held goes back to the queue at once.
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
        'an embedded runner ended: it is started again',
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

/** Each runner used to have a folder of its own, in which nobody looks any more. */
async function removeOldFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (/^runner-\d+$/.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

interface EmbeddedProcess {
  process: ChildProcess | undefined;
  readonly name: string;
  readonly scratchFolder: string;
}

/** One life of a runner, from its start to its end. */
async function runOnce(
  context: Context,
  options: EmbeddedOptions & { readonly signal: AbortSignal },
  runner: EmbeddedProcess,
): Promise<void> {
  const { db, now } = context;
  const { name, scratchFolder } = runner;
  const { url, labels = [], limits, fetchAllow = '', publishFolder } = options;
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
  if (runnerId === undefined) throw new Error(`A runner that stands elsewhere has the name “${name}”.`);
  await releaseLost(context, runnerId); // what a former life held
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 });
  if (options.signal.aborted) return;
  const child = spawn(process.execPath, [program, '--embedded'], {
    env: {},
    cwd: scratchFolder,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true, // a Ctrl-C in the terminal is for the service, which then stops its runners
  });
  runner.process = child;
  const startup = {
    url,
    name,
    labels,
    scratchFolder,
    token,
    fetchAllow,
    publishFolder, // absent in JSON where there is none
    ...limits,
  };
  child.stdin.on('error', () => {}); // it ended before it was told: its end is what counts
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
