import { Client, enterPassiveModeIPv6, FTPError } from 'basic-ftp';
import { isIP } from 'node:net';
import type { BundleTarget } from '@platen/contract/runner-bundle';
import { JobFailure } from '@platen/processing/job-type';
import { full, refused, unreachable } from './failures.ts';
import { checkedAddress, type ConnectOptions } from './server-socket.ts';

export type FtpTarget = Extract<BundleTarget, { type: 'ftp' }>;

const idleTimeoutMs = 15_000;
/** RFC 959, and codes that servers use in practice. */
const diskFullCodes = new Set([452, 552]);
const loginCodes = new Set([430, 530, 532]);

export interface FtpLines {
  /** Runs `work` on a connection of its own. @throws JobFailure, or what `work` throws otherwise */
  ask<T>(work: (client: Client) => Promise<T>): Promise<T>;
  end(): void;
}

interface Options extends ConnectOptions {
  readonly address: string;
  readonly atOnce: number;
}

/** A pool of FTP connections; broken ones are not reused. */
export function keepFtpLines(
  target: FtpTarget,
  { address, atOnce, egressPolicy, signal }: Options,
): FtpLines {
  const all = new Set<Client>();
  const idle: Client[] = [];
  const waiting: (() => void)[] = [];
  let free = atOnce;
  const end = () => {
    for (const client of all) client.close();
    all.clear();
  };
  signal.addEventListener('abort', end, { once: true });
  const open = async (): Promise<Client> => {
    const { host, port, username: user, password, isSecure: secure } = target;
    const [checked = host] = await checkedAddress({ host, port, address }, { egressPolicy, signal });
    const client = new Client(idleTimeoutMs);
    // EPSV uses a port of the same host; PASV lets the server name any host of our network
    client.prepareTransfer = enterPassiveModeIPv6;
    all.add(client);
    const secureOptions = isIP(host) ? {} : { servername: host };
    await client.access({ host: checked, port, user, password, secure, secureOptions });
    return client;
  };
  const close = (client: Client) => {
    client.close();
    all.delete(client);
  };
  return {
    end() {
      signal.removeEventListener('abort', end);
      end();
    },
    async ask(work) {
      while (free === 0) await new Promise<void>((go) => waiting.push(go));
      free--;
      let client: Client | undefined;
      try {
        signal.throwIfAborted();
        client = idle.pop();
        if (client?.closed) client = undefined;
        client ??= await open();
        const result = await work(client);
        idle.push(client);
        return result;
      } catch (error) {
        if (client && error instanceof FTPError && !client.closed) idle.push(client);
        else if (client) close(client);
        signal.throwIfAborted();
        throw failureOf(error, address);
      } finally {
        free++;
        waiting.shift()?.();
      }
    },
  };
}

function failureOf(error: unknown, address: string): unknown {
  if (error instanceof JobFailure) return error;
  const code = error instanceof FTPError ? error.code : undefined;
  if (code === undefined) return unreachable(address, error);
  const details = { code: String(code) };
  if (diskFullCodes.has(code)) return full(address);
  if (loginCodes.has(code)) return refused(address, 'the login', details);
  return code >= 500 ? refused(address, 'to read or write data', details) : unreachable(address, details);
}

/** Whether the server reports a missing file; most servers are no more specific. */
export function isAbsent(error: unknown): boolean {
  return error instanceof FTPError && error.code === 550;
}
