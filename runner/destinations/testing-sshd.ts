import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SftpTarget } from './sftp.ts';

/** A real sshd of OpenSSH for whoever runs the tests, on a port and with keys of its own; it serves files alone. */
export interface Sshd {
  readonly port: number;
  /** Of its host key, as ssh-keygen shows it. */
  readonly fingerprint: string;
  /** Where a login may read and write. */
  readonly folder: string;
  readonly target: (change?: Partial<SftpTarget>) => SftpTarget;
  /** The key of another host, and one that nobody may log in with. */
  readonly otherFingerprint: string;
  readonly otherKey: string;
  /** A key that may log in, behind this passphrase. */
  readonly lockedKey: string;
  readonly passphrase: string;
  /** Ends the connections that there are. */
  cut(): Promise<void>;
  /** All connections go on, and nothing answers. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** What it has said. */
  readonly log: () => string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const program = '/usr/sbin/sshd';
const how = 'apt-get install --no-install-recommends openssh-server openssh-client';
const startMs = 20_000;

/** Why tests that need sshd have to be skipped here; on a machine of CI it throws instead. */
export function whyNoSshd(): string | undefined {
  if (existsSync(program) && existsSync('/usr/bin/ssh-keygen')) return undefined;
  const why = `NOT TESTED: this machine has no sshd (${how})`;
  if (process.env['CI'] === 'true') throw new Error(why);
  return why;
}

export async function startSshd(): Promise<Sshd> {
  const own = await mkdtemp(join(tmpdir(), 'platen-sshd-'));
  const folder = join(own, 'files');
  await mkdir(folder);
  const passphrase = 'a passphrase of tests';
  const [host, other, user, stranger, locked] = await Promise.all([
    newKey(join(own, 'host')),
    newKey(join(own, 'other')),
    newKey(join(own, 'user')),
    newKey(join(own, 'stranger')),
    newKey(join(own, 'locked'), passphrase),
  ]);
  await writeFile(join(own, 'authorized'), user.public + locked.public, { mode: 0o600 });
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 }); // it insists, as root
  const port = await freePort();
  await writeFile(join(own, 'config'), settings(own, port));
  let text = '';
  const child = spawn(program, ['-D', '-e', '-f', join(own, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  await untilListens(port, child, () => text);
  const username = userInfo().username;
  return {
    port,
    folder,
    fingerprint: host.fingerprint,
    otherFingerprint: other.fingerprint,
    otherKey: stranger.private,
    lockedKey: locked.private,
    passphrase,
    target: (change = {}) => ({
      type: 'sftp',
      host: '127.0.0.1',
      port,
      username,
      privateKey: user.private,
      hostKey: host.fingerprint,
      folder,
      ...change,
    }),
    cut: () => signalTree(child.pid!, 'SIGKILL'),
    pause: () => signalTree(child.pid!, 'SIGSTOP'),
    resume: () => signalTree(child.pid!, 'SIGCONT'),
    log: () => text,
    async stop() {
      await signalTree(child.pid!, 'SIGKILL');
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      await rm(own, { recursive: true, force: true });
    },
  };
}

function settings(own: string, port: number): string {
  return `
Port ${port}
ListenAddress 127.0.0.1
HostKey ${own}/host
PidFile none
AuthorizedKeysFile ${own}/authorized
StrictModes no
PasswordAuthentication yes
KbdInteractiveAuthentication no
PermitRootLogin yes
MaxAuthTries 20
MaxStartups 100
LogLevel DEBUG1
Subsystem sftp internal-sftp
ForceCommand internal-sftp
`;
}

async function newKey(path: string, passphrase = '') {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', path]);
  const { stdout } = await run('ssh-keygen', ['-lf', path]);
  return {
    private: await readFile(path, 'utf8'),
    public: await readFile(`${path}.pub`, 'utf8'),
    fingerprint: stdout.split(' ')[1]!,
  };
}

/** The processes of its connections, and theirs; not itself. */
async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  for (const child of text.split(' ').filter(Boolean).map(Number)) {
    await signalTree(child, signal);
    try {
      process.kill(child, signal);
    } catch {
      // it has just ended by itself
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function untilListens(port: number, child: ChildProcess, said: () => string): Promise<void> {
  for (const limit = Date.now() + startMs; Date.now() < limit; await sleep(30)) {
    if (child.exitCode !== null) break;
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
  }
  throw new Error(`sshd did not start: ${said()}`);
}
