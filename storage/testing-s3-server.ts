import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A real local S3 server, Ceph's RADOS gateway, with its own ports and folder and its objects in memory. */
export interface S3Server {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Runs `radosgw-admin`, which manages users and quotas. */
  admin(...words: string[]): Promise<string>;
  /** The gateway keeps listening but does not respond. */
  pause(): void;
  resume(): void;
  /** Kills the gateway; stored objects remain. */
  crash(): Promise<void>;
  /** Restarts the gateway at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const START_TIMEOUT_MS = 60_000;
const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph-authtool'];
const INSTALL_HINT = 'apt-get install --no-install-recommends radosgw ceph-mon ceph-osd';

/**
 * Reason to skip tests that need an S3 server on this machine; undefined if it is installed. Throws on CI, where
 * nothing may be skipped.
 */
export function s3SkipReason(): string | undefined {
  const missing = PROGRAMS.filter((name) => !isInstalled(name));
  if (missing.length === 0) return undefined;
  const why = `NOT TESTED: this machine has no ${missing.join(', ')} (${INSTALL_HINT})`;
  if (process.env['CI'] === 'true') throw new Error(why);
  return why;
}

/** Takes about three seconds. Throws with the output of the programs. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-s3-'));
  const running: ChildProcess[] = [];
  const conf = join(folder, 'ceph.conf');
  const logs = join(folder, 'log');

  async function start(name: string, program: string, ...words: string[]): Promise<ChildProcess> {
    const output = await open(join(logs, `${name}.out`), 'a');
    const stdio = ['ignore', output.fd, output.fd] as const;
    const child = spawn(program, ['-c', conf, '-f', ...words], { cwd: folder, stdio: [...stdio] });
    child.on('error', () => {}); // reported by the exit that follows
    await output.close();
    running.push(child);
    return child;
  }

  async function stop(): Promise<void> {
    for (const child of running.toReversed()) await end(child);
    await rm(folder, { recursive: true, force: true });
  }

  const startGateway = (port: number) =>
    start('radosgw', 'radosgw', '-n', 'client.rgw').then(async (child) => {
      await untilAnswers(`http://127.0.0.1:${port}/`, child);
      return child;
    });

  try {
    for (const name of ['mon', 'osd', 'rgw', 'log']) await mkdir(join(folder, name));
    const [port, ...monitorPorts] = await freePorts(3);
    await prepare(folder, conf, port!, monitorPorts);
    await start('mon', 'ceph-mon', '-i', 'a');
    await run('ceph-osd', ['-c', conf, '-i', '0', '--mkfs', '--osd-uuid', randomUUID()]); // contacts the monitor
    await start('osd', 'ceph-osd', '-i', '0');
    const admin = async (...words: string[]) =>
      (await run('radosgw-admin', ['-c', conf, '-n', 'client.rgw', ...words], { timeout: START_TIMEOUT_MS }))
        .stdout;
    const keys = { accessKeyId: 'test-access-key', secretAccessKey: 'test-secret-key' };
    const user = ['--uid=test', '--display-name=test', `--access-key=${keys.accessKeyId}`];
    await admin('user', 'create', ...user, `--secret-key=${keys.secretAccessKey}`);
    let gateway = await startGateway(port!);
    return {
      endpoint: `http://127.0.0.1:${port}`,
      ...keys,
      admin,
      pause: () => void gateway.kill('SIGSTOP'),
      resume: () => void gateway.kill('SIGCONT'),
      crash: () => end(gateway),
      async restart() {
        gateway = await startGateway(port!);
      },
      stop,
    };
  } catch (error) {
    const said = await readFile(join(logs, 'radosgw.out'), 'utf8').catch(() => '');
    await stop();
    throw new Error(`the S3 server did not start: ${said}`, { cause: error });
  }
}

/** One monitor that already knows its object store, so that none has to be registered. */
async function prepare(folder: string, conf: string, port: number, monitorPorts: number[]): Promise<void> {
  const fsid = randomUUID();
  const [second, first] = monitorPorts;
  const monitor = `[v2:127.0.0.1:${second},v1:127.0.0.1:${first}]`;
  const [keyring, monmap, osdmap] = ['keyring', 'monmap', 'osdmap'].map((name) => join(folder, name));
  await writeFile(conf, settings(folder, { fsid, monitor, port }));
  await writeFile(keyring!, '', { mode: 0o600 });
  for (const [name, ...caps] of [
    ['mon.', '--cap', 'mon', 'allow *'],
    ['osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'],
    ['client.rgw', '--cap', 'mon', 'allow rwx', '--cap', 'osd', 'allow rwx'],
  ] as const) {
    await run('ceph-authtool', [keyring!, '--gen-key', '-n', name, ...caps]);
  }
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', monitor, monmap!]);
  await run('osdmaptool', ['-c', conf, '--createsimple', '1', osdmap!]);
  const maps = ['--monmap', monmap!, '--osdmap', osdmap!, '--keyring', keyring!];
  await run('ceph-mon', ['-c', conf, '-i', 'a', '--mkfs', ...maps]);
}

/** The short intervals of paxos reduce the start from twenty seconds to three. */
function settings(
  folder: string,
  { fsid, monitor, port }: Record<'fsid' | 'monitor', string> & { port: number },
) {
  return `
[global]
fsid = ${fsid}
keyring = ${folder}/keyring
mon host = ${monitor}
run dir = ${folder}
admin socket =
log file = ${folder}/log/$name.log
pid file = ${folder}/$name.pid
auth allow insecure global id reclaim = true
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
mon data avail warn = 1
paxos propose interval = 0.02
paxos min wait = 0.01
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd objectstore = memstore
osd data = ${folder}/osd
memstore device bytes = 17179869184
public addr = 127.0.0.1
cluster addr = 127.0.0.1
osd class load list = *
osd class default list = *
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw thread pool size = 64
rgw gc obj min wait = 0
rgw gc processor period = 5
`;
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  for (const limit = Date.now() + START_TIMEOUT_MS; Date.now() < limit; await sleep(50)) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`nothing answers at ${url}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL'); // also ends a paused one; nothing of it is kept
  await exit;
}

/** Debian installs some of them on root's path only. */
function isInstalled(program: string): boolean {
  return `${process.env['PATH']}${delimiter}/usr/sbin`.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** All ports are held at once, so that no two are the same. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}
