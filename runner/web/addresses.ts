import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { JobFailed } from '../job-failed.ts';
import type { WebAccess } from './web-access.ts';

/** Something between here and there failed, which may pass: it can be tried again. */
export class WebTrouble extends Error {
  /** A name that nobody has will hardly come to be: to try for minutes is no use. */
  get isLasting(): boolean {
    return (this.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOTFOUND';
  }
}

export interface Resolve {
  (host: string): Promise<LookupAddress[]>;
}

interface Access {
  readonly access: WebAccess;
  readonly resolve?: Resolve;
}

const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/**
 * All addresses of a host, each of which may be connected to.
 * @throws JobFailed where one may not, WebTrouble where it has none
 */
export async function addressesOf(
  hostname: string,
  { access, resolve = resolveByDns }: Access,
): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const found = family ? [{ address: host, family }] : await named(host, resolve);
  // one forbidden address among them is enough: names that mean both are made to get past a check
  for (const { address } of found) {
    if (access.isAllowed(address)) continue;
    throw new JobFailed(
      'privateAddress',
      `“${hostname}” is at no public address: jobs speak to the public web only. The operator can allow a network by PLATEN_FETCH_ALLOW.`,
    );
  }
  return found;
}

async function named(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const found = await resolve(host).catch((error: unknown) => {
    throw new WebTrouble(`The name “${host}” cannot be resolved.`, { cause: error });
  });
  if (found.length === 0) throw new WebTrouble(`The name “${host}” has no address.`);
  return found;
}

/** Connects to nothing but what was checked, whatever the name means by now. */
export function only(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, done) => {
    if (options.all) done(null, [...addresses]);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  };
}
