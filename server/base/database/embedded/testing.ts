import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface ServiceOptions {
  connections?: number;
  /** A command that runs the command that follows it. */
  prefix?: string[];
  uid?: number;
}

/** A separate service process. */
export interface TestService {
  child: ChildProcess;
  /** '' if it failed to start. */
  url: string;
  /** Its output, without the acknowledgements. */
  said: () => string;
  acknowledged: () => string[];
  tookMs: number;
  end: (signal: NodeJS.Signals) => Promise<void>;
}

/** Starts a service process; resolves when it has started, failed or exited. */
export async function startService(dataDir: string, options: ServiceOptions = {}): Promise<TestService> {
  const since = performance.now();
  const service = spawnService(dataDir, options);
  await Promise.race([service.started, service.closed]);
  return { ...service, url: service.url(), tookMs: Math.round(performance.now() - since) };
}

/** Starts a service process without waiting, so that a test can interrupt the start. */
export function spawnService(dataDir: string, { connections = 0, prefix = [], uid }: ServiceOptions = {}) {
  const script = join(import.meta.dirname, 'testing-service.ts');
  const command = [...prefix, process.execPath, script, dataDir, String(connections)];
  const child = spawn(command[0]!, command.slice(1), {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  const started = new Promise<void>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('url ')) resolve();
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await closed;
  };
  const url = () => lines.find((line) => line.startsWith('url '))?.slice(4) ?? '';
  const said = () => lines.filter((line) => !line.startsWith('ack ')).join('\n');
  const acknowledged = () => lines.flatMap((line) => /^ack (.{36})$/.exec(line)?.[1] ?? []);
  return { child, closed, started, end, url, said, acknowledged };
}

/** Runs one statement on a separate connection. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return await client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

export interface SeenProcess {
  pid: number;
  title: string;
}

/** Postmasters, backends, initdb and watching shells of every cluster below a folder. */
export function processesBelow(base: string): SeenProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const title = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
      const folder = attempt(() => readlinkSync(`/proc/${pid}/cwd`));
      const isOurs = folder.startsWith(`${base}/`) || title.includes(`${base}/`);
      return isOurs && !title.includes('testing-service.ts') ? [{ pid: Number(pid), title }] : [];
    });
}

/** Waits until no such process is left. @throws with their titles if they stay */
export async function noneBelow(base: string): Promise<void> {
  const deadlineMs = performance.now() + 15_000;
  for (let left = processesBelow(base); left.length > 0; left = processesBelow(base)) {
    if (performance.now() > deadlineMs) throw new Error(left.map(({ title }) => title).join('\n'));
    await sleep(10);
  }
}

/** Polls until the result is not undefined. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadlineMs = performance.now() + 15_000;
  while (performance.now() < deadlineMs) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(5);
  }
  throw new Error(`never: ${what}`);
}

export function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'pgdata/postmaster.pid'), 'utf8'), 10);
}

export function ownerOf(path: string): { uid: number; gid: number } {
  return statSync(path);
}

/** Reads about a process that may end at any time. */
function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
