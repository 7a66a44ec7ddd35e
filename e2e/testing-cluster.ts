import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminPassword, end, freePort, untilAnswers } from './processes.ts';
import { startPreparedPostgres } from './testing-prepared.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
export const enrolmentToken = 'a secret between operator and runners';

/** A process that is restarted in the same place after a kill. */
export interface Member {
  readonly name: string;
  pid(): number;
  start(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface Cluster {
  readonly urls: readonly string[];
  readonly databaseUrl: string;
  readonly services: readonly Member[];
  readonly runners: readonly Member[];
  /** The scratch folders of the runners. */
  readonly scratchFolders: readonly string[];
  /** Kills PostgreSQL, which restarts by itself. */
  killDatabase(): Promise<void>;
  /** The output of all processes. */
  log(): string;
  stop(): Promise<void>;
}

/** Two services on one PostgreSQL and one disk, and two runners elsewhere, each a process that may be killed. */
export async function startCluster(folder: string): Promise<Cluster> {
  const dataDir = join(folder, 'postgres');
  const postgres = await startPreparedPostgres(dataDir);
  const ports = [await freePort(), await freePort()];
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  let text = '';
  const member = (name: string, program: string, env: Record<string, string>, ready: Ready): Member => {
    let child: ChildProcess | undefined;
    return {
      name,
      pid: () => child!.pid!,
      async start() {
        child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, program)], {
          env: {
            PATH: process.env['PATH'],
            HOME: folder,
            NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
            ...env,
          },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        let own = '';
        child.stderr!.setEncoding('utf8').on('data', (part: string) => {
          own += part;
          text += part;
        });
        await ready(child, () => own);
      },
      async kill(signal = 'SIGKILL') {
        if (child) await end(child, signal);
      },
    };
  };
  const services = ports.map((port, index) => {
    const env = {
      DATABASE_URL: postgres.url,
      PLATEN_STORAGE: `file:${join(folder, 'objects')}`,
      PLATEN_DATA: join(folder, `service-${index + 1}`),
      PLATEN_PORT: String(port),
      PLATEN_ADMIN_PASSWORD: adminPassword,
      PLATEN_ENROLMENT_TOKEN: enrolmentToken,
      PLATEN_RUNNERS: '0',
      PLATEN_LOG_LEVEL: 'info',
    };
    const ready: Ready = (child) => untilAnswers(`${urls[index]}/readyz`, child);
    return member(`service ${index + 1}`, 'server/start.js', env, ready);
  });
  const scratchFolders = urls.map((_, index) => join(folder, `scratch-${index + 1}`));
  const runners = urls.map((url, index) => {
    const name = `runner ${index + 1}`;
    const env = {
      PLATEN_URL: url,
      PLATEN_ENROLMENT_TOKEN: enrolmentToken,
      PLATEN_RUNNER_NAME: name,
      PLATEN_RUNNER_SCRATCH: scratchFolders[index]!,
    };
    return member(name, 'runner/main.ts', env, untilReady);
  });
  await mkdir(join(folder, 'objects'), { recursive: true });
  for (const each of [...services, ...runners]) await each.start();
  return {
    urls,
    databaseUrl: postgres.url,
    services,
    runners,
    scratchFolders,
    async killDatabase() {
      const file = await readFile(join(dataDir, 'pgdata/postmaster.pid'), 'utf8');
      process.kill(Number(file.split('\n')[0]), 'SIGKILL');
    },
    log: () => text,
    async stop() {
      for (const each of [...runners, ...services]) await each.kill('SIGTERM');
      await postgres.stop();
    },
  };
}

const runnerStartMs = 60_000;

type Ready = (child: ChildProcess, text: () => string) => Promise<void>;

/** A runner that finds no service ends, and an operator’s service manager starts it again: so it is done here, too. */
const untilReady: Ready = async (child, text) => {
  const killing = setTimeout(() => child.kill('SIGKILL'), runnerStartMs);
  const gone = once(child, 'exit').then(() => 'gone' as const);
  try {
    while (!text().includes('"the runner is ready"')) {
      const first = await Promise.race([gone, once(child.stderr!, 'data')]);
      if (first === 'gone') throw new Error(`A runner did not start: ${text()}`);
    }
  } finally {
    clearTimeout(killing);
  }
};
