import { createHash, timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { BundleTarget } from '@platen/contract/runner-bundle';
import SftpClient from 'ssh2-sftp-client';
import { TransientError } from '../transient-error.ts';
import { JobFailure } from '@platen/processing/job-type';
import { printable } from './clean-path.ts';
import type { Destination } from './destination.ts';
import { codeOf, refused, unreachable } from './failures.ts';
import { folderDestination } from './folder-destination.ts';
import { connectChecked, type ConnectOptions } from './server-socket.ts';
import { sftpTree, type Sftp, type SftpLine } from './sftp-tree.ts';

export type SftpTarget = Extract<BundleTarget, { type: 'sftp' }>;

const readyMs = 20_000;
/** A server that misses three keepalives is given up; on a slow line answers queue behind uploads. */
const usualAliveMs = 10_000;
/** Maximum number of connections in succession that break before any work was done. */
const maxInSuccession = 2;

interface OpenOptions extends ConnectOptions {
  /** Called with the fingerprint if the credentials name no host key. */
  readonly onUnknownHost: (fingerprint: string) => void;
  /** For tests. */
  readonly aliveMs?: number;
}

/** @throws JobFailure */
export async function openSftp(target: SftpTarget, opening: OpenOptions): Promise<Destination> {
  const address = `sftp://${printable(target.host)}:${target.port}`;
  const line = keepLine(() => connect(target, address, opening), { address, signal: opening.signal });
  try {
    return folderDestination(await sftpTree(line, { folder: target.folder, address }));
  } catch (error) {
    line.end();
    throw error;
  }
}

interface Connection {
  readonly sftp: Sftp;
  readonly isAlive: () => boolean;
  /** Closes the connection at once, whatever is in flight. */
  readonly cut: () => void;
}

/** Connects on demand and reconnects once after a loss; again only if some work succeeded in between. */
function keepLine(
  open: () => Promise<Connection>,
  { address, signal }: { readonly address: string; readonly signal: AbortSignal },
): SftpLine & { end(): void } {
  let opening: Promise<Connection> | undefined;
  let last: Connection | undefined;
  let triesLeft = maxInSuccession;
  const end = () => last?.cut();
  const reopen = async (): Promise<Connection> => {
    if (triesLeft-- <= 0) throw unreachable(address, { code: 'brokenOff' });
    last = await open();
    if (signal.aborted) end();
    return last;
  };
  const connection = async (): Promise<Connection> => {
    signal.throwIfAborted();
    if (last?.isAlive()) return last;
    return (opening ??= reopen().finally(() => (opening = undefined)));
  };
  return {
    end,
    async ask(work) {
      const { sftp, isAlive } = await connection();
      try {
        const result = await work(sftp);
        triesLeft = maxInSuccession;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof JobFailure) throw error;
        throw isAlive() ? error : unreachable(address, error);
      }
    },
  };
}

async function connect(target: SftpTarget, address: string, opening: OpenOptions): Promise<Connection> {
  const { host, port, username, password, privateKey, passphrase } = target;
  const sock = await connectChecked({ host, port, address }, opening);
  const silent = { error: () => {}, end: () => {}, close: () => {} };
  const client = new SftpClient('platen', silent);
  const cut = () => void sock.destroy();
  const onAbort = () => cut();
  opening.signal.addEventListener('abort', onAbort, { once: true });
  sock.once('close', () => opening.signal.removeEventListener('abort', onAbort));
  let wrong: JobFailure | undefined;
  try {
    const sftp = await client.connect({
      sock,
      username,
      ...(password !== undefined && { password }),
      ...(privateKey !== undefined && { privateKey }),
      ...(passphrase !== undefined && { passphrase }),
      readyTimeout: readyMs,
      keepaliveInterval: opening.aliveMs ?? usualAliveMs,
      keepaliveCountMax: 3,
      hostVerifier(key: Buffer) {
        wrong = checkHost(key, target, { address, onUnknownHost: opening.onUnknownHost });
        return wrong === undefined;
      },
    });
    // if only the channel ends, pending requests are never answered, however long the connection lives
    let isOver = false;
    for (const end of ['end', 'close'])
      (sftp as unknown as EventEmitter).once(end, () => {
        isOver = true;
        cut();
      });
    return { sftp, isAlive: () => !isOver && !sock.destroyed && sock.readyState === 'open', cut };
  } catch (error) {
    cut();
    opening.signal.throwIfAborted();
    throw wrong ?? failureOf(error, address);
  }
}

interface HostCheck extends Pick<OpenOptions, 'onUnknownHost'> {
  readonly address: string;
}

function checkHost(
  key: Buffer,
  { hostKey }: SftpTarget,
  { address, onUnknownHost }: HostCheck,
): JobFailure | undefined {
  const found = fingerprintOf(key);
  if (hostKey === undefined) onUnknownHost(found);
  else if (!isSame(found, hostKey))
    return new JobFailure(
      'wrongHostKey',
      `${address} has the host key ${found}, which differs from the one in the credentials. Another server may be impersonating it. Nothing was sent.`,
    );
  return undefined;
}

/** The fingerprint as `ssh-keygen -l` prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256')
    .update(key)
    .digest('base64')
    .replace(/(?<!=)=+$/, '')}`;
}

/** Accepts the whole line of `ssh-keygen -l`: `256 SHA256:… host (ED25519)`. */
function isSame(found: string, entered: string): boolean {
  const named = /SHA256:[A-Za-z0-9+/]{43}/.exec(entered)?.[0] ?? '';
  return named.length === found.length && timingSafeEqual(Buffer.from(named), Buffer.from(found));
}

function failureOf(error: unknown, address: string): JobFailure {
  const { message, level } = error as { message?: string; level?: string };
  const said = String(message);
  if (/privateKey|passphrase|key format/i.test(said))
    return new JobFailure(
      'destinationRefused',
      'The private key of the credentials cannot be read: it is damaged or of an unknown type, or its passphrase is missing or wrong.',
    );
  if (level === 'client-authentication' || /authentication/i.test(said))
    return refused(address, 'the login', { code: 'wrongLogin' });
  if (/subsystem|start.{0,100}sftp/i.test(said)) return refused(address, 'to speak SFTP', { code: 'noSftp' });
  return error instanceof TransientError ? error : unreachable(address, { code: codeOf(error) });
}
