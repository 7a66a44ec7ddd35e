import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient, type Client } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { copyPrepared } from './testing-prepared.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
export const adminPassword = 'correct horse battery';
/** For a busy machine; a service starts in a second, and stops within thirty at most. */
const startLimits = { startMs: 60_000, answerMs: 10_000 };
const endLimitMs = 60_000;

export interface RunningService {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly dataFolder: string;
  readonly client: Client<typeof apiEndpoints>;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Below those that systems give to whoever connects or does not care, so that none of them takes it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Starts on nothing at all, as on a new machine; otherwise the database has been made before. */
  readonly isFirstStart?: boolean;
  /** An existing data folder, which stays; otherwise a new one is made, and removed at the end. */
  readonly dataFolder?: string;
  /** For a service that is started again where it was; a free one when absent. */
  readonly port?: number;
  /** Receives the whole log; by default only problems are printed to the terminal. */
  readonly onLog?: (text: string) => void;
}

/** The real service as a process of its own, signed in as its first administrator. */
export async function runService(options: RunOptions = {}): Promise<RunningService> {
  const { env = {}, dataFolder, isFirstStart = false, onLog, port = await freePort() } = options;
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'platen-run-')));
  if (!isFirstStart && env['DATABASE_URL'] === undefined) await copyPrepared(join(folder, 'postgres'));
  if (!isFirstStart) await shareCompressed(folder);
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'server/start.js')],
    {
      env: {
        ...process.env,
        PLATEN_PORT: String(port),
        PLATEN_DATA: folder,
        PLATEN_ADMIN_PASSWORD: adminPassword,
        PLATEN_LOG_LEVEL: 'warn',
        PLATEN_CHROMIUM: 'off', // pictures of apps are painted, except where a test is about them
        ...env,
      },
      stdio: onLog ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'ignore', 'inherit'],
    },
  );
  for (const output of [child.stdout, child.stderr]) output?.setEncoding('utf8').on('data', onLog!);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/readyz`, child);
  const anonymous = createClient(apiEndpoints, { baseUrl: url });
  const { token } = await anonymous.postLogin({ body: { username: 'admin', password: adminPassword } });
  const stop = async () => {
    await end(child);
    if (dataFolder === undefined) await rm(folder, { recursive: true, force: true });
  };
  const client = createClient(apiEndpoints, { baseUrl: url, token });
  return { url, port, token, dataFolder: folder, client, child, stop };
}

/** All services keep the best compressed forms of files in one place: they take seconds each. */
async function shareCompressed(dataFolder: string): Promise<void> {
  const [shared, cache] = [join(tmpdir(), 'platen-compressed'), join(dataFolder, 'cache')];
  for (const folder of [shared, cache]) await mkdir(folder, { recursive: true });
  await symlink(shared, join(cache, 'compressed')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error; // the data folder of an earlier service
  });
}

/** Another program of this repository, which listens on the port of its environment. */
export async function runPeer(script: string, env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, script)], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilAnswers(`http://127.0.0.1:${port}/`, child);
  return { port, stop: () => end(child) };
}

/**
 * Ends a process we started, and waits until it has gone.
 * @throws Error if it ignores the signal until the limit; it is killed then
 */
export async function end(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
  limitMs = endLimitMs,
): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit');
  let isKilled = false;
  const timer = setTimeout(() => (isKilled = child.kill('SIGKILL')), limitMs);
  child.kill(signal);
  await gone;
  clearTimeout(timer);
  if (isKilled)
    throw new Error(`${nameOf(child)} was killed, as it had ignored ${signal} for ${limitMs} ms.`);
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

const nameOf = ({ pid, spawnargs }: ChildProcess) => `Process ${pid} (${spawnargs.slice(1).join(' ')})`;

/** Waits until the program of a process answers. @throws Error if it does not; it is killed then */
export async function untilAnswers(url: string, child: ChildProcess, limits = startLimits): Promise<void> {
  for (const deadline = performance.now() + limits.startMs; performance.now() < deadline; await sleep(50)) {
    if (hasEnded(child))
      throw new Error(
        `${nameOf(child)} ended with ${child.signalCode ?? child.exitCode} before it answered.`,
      );
    const answered = await fetch(url, { signal: AbortSignal.timeout(limits.answerMs) }).then(
      (reply) => reply.status < 500,
      () => false,
    );
    if (answered) return;
  }
  await end(child, 'SIGKILL');
  throw new Error(
    `${nameOf(child)} did not answer at ${url} within ${limits.startMs / 1000} s and was killed.`,
  );
}
