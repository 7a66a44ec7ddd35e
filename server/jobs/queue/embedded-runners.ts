import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JobLimits } from '@platen/processing/job-type';
import type { Context } from '../../base/context.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { newId } from '../../base/ids.ts';
import { version } from '../../base/version.ts';
import { releaseLost } from './release-lost.ts';
import { enrolRunner } from './runners.ts';

interface Options {
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
const pauses = { shortestMs: 100, longestMs: 10_000, calmAfterMs: 60_000 };

/**
 * Runs processing runners beside the service, each a process of its own that speaks HTTP like any other runner. One
 * that dies is started again, and what it held goes back to the queue at once.
 */
export async function startEmbeddedRunners(context: Context, options: Options): Promise<EmbeddedRunners> {
  const stopping = new AbortController();
  const runners = Array.from({ length: options.count }, (_, index) => ({
    process: undefined as ChildProcess | undefined,
    name: `embedded ${index + 1} of ${options.url} on ${hostname()}`,
    scratchFolder: options.scratchFolder,
  }));
  await removeFormer(options.scratchFolder);
  const done = runners.map(async (runner) => {
    let pauseMs = pauses.shortestMs;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      try {
        await live(context, { ...options, signal: stopping.signal }, runner);
      } catch (error) {
        context.log.error({ err: error }, 'an embedded runner could not be started');
      }
      if (stopping.signal.aborted) return;
      context.log.warn({ runner: runner.name, pauseMs }, 'an embedded runner ended: it is started again');
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      const isCalm = performance.now() - startedAt > pauses.calmAfterMs;
      pauseMs = isCalm ? pauses.shortestMs : Math.min(pauseMs * 2, pauses.longestMs);
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
async function removeFormer(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (/^runner-\d+$/.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

interface Embedded {
  process: ChildProcess | undefined;
  readonly name: string;
  readonly scratchFolder: string;
}

/** One life of a runner, from its start to its end. */
async function live(
  context: Context,
  options: Options & { readonly signal: AbortSignal },
  runner: Embedded,
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
  const told = {
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
  child.stdin.write(`${JSON.stringify(told)}\n`);
  passOnLog(context, child, name);
  try {
    await once(child, 'exit');
  } finally {
    runner.process = undefined;
    await releaseLost(context, runnerId);
  }
}

function passOnLog({ log }: Context, child: ChildProcess, runner: string): void {
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
