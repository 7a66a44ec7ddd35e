import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A PostgreSQL server of this machine on a folder of its own, for the tests. */
export interface PostgresServer {
  /** Address with the login of a superuser; tests create their own databases. */
  url: string;
  version: string;
  stop(): Promise<void>;
}

/**
 * Tests on these servers are about SQL, on hundreds of small databases that live for seconds. Tests of durability start
 * their own embedded servers.
 */
export const settingsForTests = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  jit: 'off',
} as const;

const run = promisify(execFile);
const START_LIMIT_MS = 30_000;

/** The newest PostgreSQL in the folders of Debian, Homebrew and PGDG; undefined if there is none. */
export function findPostgres(): string | undefined {
  const patterns = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql@*/bin'];
  return patterns
    .flatMap((pattern) => globSync(`${pattern}/initdb`))
    .map((path) => path.slice(0, -'/initdb'.length))
    .toSorted((a, b) => majorOf(b) - majorOf(a))[0];
}

/** Takes about two seconds. Throws with what PostgreSQL said. */
export async function startPostgresServer(bin: string): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-postgres-'));
  const identity = ordinaryUser();
  let server: ChildProcess | undefined;
  async function stop(): Promise<void> {
    if (server && server.exitCode === null && server.signalCode === null) {
      const exit = once(server, 'exit');
      server.kill('SIGINT'); // "fast": ends sessions, then itself
      await exit;
    }
    await rm(folder, { recursive: true, force: true });
  }
  try {
    const password = randomBytes(12).toString('hex');
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, password);
    if (identity) for (const path of [folder, passwordFile]) await chown(path, identity.uid, identity.gid);
    await chmod(folder, 0o700);
    const options = { cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }, ...identity };
    const data = join(folder, 'data');
    const initdb = [
      '--pgdata',
      data,
      '--username',
      'platen',
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
    ];
    await run(join(bin, 'initdb'), [...initdb, '--encoding', 'UTF8', '--locale', 'C', '--no-sync'], options);

    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      max_connections: 200,
      ...settingsForTests,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said: string[] = [];
    server.stderr?.setEncoding('utf8').on('data', (text: string) => said.length < 100 && said.push(text));
    await ready(join(bin, 'pg_isready'), port, server, said);
    const { stdout } = await run(join(bin, 'postgres'), ['--version'], options);
    return { url: `postgres://platen:${password}@127.0.0.1:${port}/postgres`, version: stdout.trim(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ready(
  pgIsReady: string,
  port: number,
  server: ChildProcess,
  said: readonly string[],
): Promise<void> {
  for (const limit = Date.now() + START_LIMIT_MS; Date.now() < limit; await sleep(50)) {
    if (server.exitCode !== null || server.signalCode !== null) break;
    const answers = await run(pgIsReady, ['--host', '127.0.0.1', '--port', String(port)]).catch(
      () => undefined,
    );
    if (answers) return;
  }
  throw new Error(`PostgreSQL did not start:\n${said.join('')}`);
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] })),
      );
      if (uid && gid) return { uid, gid };
    } catch {
      // No such user: the next one.
    }
  }
  throw new Error('PostgreSQL must not run as root, and there is no user postgres or nobody to run it as.');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function majorOf(path: string): number {
  return Number(/(\d+)(?:\.\d+)?\/bin$/.exec(path)?.[1] ?? 0);
}
