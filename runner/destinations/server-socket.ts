import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { JobFailed } from '../job-failed.ts';
import { addressesOf } from '../web/addresses.ts';
import type { WebAccess } from '../web/web-access.ts';
import { unreachable } from './failures.ts';

const connectMs = 15_000;

export interface Server {
  readonly host: string;
  readonly port: number;
  /** For people. */
  readonly address: string;
}

export interface Reaching {
  readonly webAccess: WebAccess;
  readonly signal: AbortSignal;
}

/** The addresses of a server, all of which may be spoken to. @throws JobFailed */
export async function checkedAddress(
  { host, address }: Server,
  { webAccess, signal }: Reaching,
): Promise<string[]> {
  signal.throwIfAborted();
  try {
    return (await addressesOf(host, { access: webAccess })).map((found) => found.address);
  } catch (error) {
    throw error instanceof JobFailed ? error : unreachable(address, (error as Error).cause ?? error);
  }
}

/** Connects to an address of the server that was checked just now, and to no other. @throws JobFailed */
export async function connectChecked(server: Server, reaching: Reaching): Promise<Socket> {
  const { signal } = reaching;
  let failure: unknown;
  for (const host of await checkedAddress(server, reaching)) {
    const socket = connect({ host, port: server.port, noDelay: true });
    try {
      await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(connectMs)]) });
      return socket;
    } catch (error) {
      socket.on('error', () => {}).destroy();
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw unreachable(server.address, failure);
}
