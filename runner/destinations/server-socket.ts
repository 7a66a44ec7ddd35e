import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { JobFailure } from '@platen/processing/job-type';
import { resolveAllowed } from '@platen/egress/addresses';
import type { EgressPolicy } from '@platen/egress/policy';
import { asJobFailure } from '../transient-error.ts';
import { unreachable } from './failures.ts';

const connectMs = 15_000;

export interface Server {
  readonly host: string;
  readonly port: number;
  /** Shown to people. */
  readonly address: string;
}

export interface ConnectOptions {
  readonly egressPolicy: EgressPolicy;
  readonly signal: AbortSignal;
}

/** Resolves a server to addresses that the policy allows. @throws JobFailure */
export async function checkedAddress(
  { host, address }: Server,
  { egressPolicy, signal }: ConnectOptions,
): Promise<string[]> {
  signal.throwIfAborted();
  try {
    return (await resolveAllowed(host, { policy: egressPolicy })).map((found) => found.address);
  } catch (error) {
    const failure = asJobFailure(error);
    throw failure instanceof JobFailure ? failure : unreachable(address, (error as Error).cause ?? error);
  }
}

/** Connects to an address that has just been checked. @throws JobFailure */
export async function connectChecked(server: Server, reaching: ConnectOptions): Promise<Socket> {
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
