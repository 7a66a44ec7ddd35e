import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { EgressError, NetworkError } from './errors.ts';
import type { EgressPolicy } from './policy.ts';

export interface Resolve {
  (host: string): Promise<LookupAddress[]>;
}

interface ResolveOptions {
  readonly policy: EgressPolicy;
  readonly resolve?: Resolve;
}

const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/**
 * Resolves a host to its addresses, all of which the policy allows.
 * @throws EgressError `privateAddress` if the policy forbids one of them, NetworkError if the host has none
 */
export async function resolveAllowed(
  hostname: string,
  { policy, resolve = resolveByDns }: ResolveOptions,
): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await resolveName(host, resolve);
  // one forbidden address is enough: names with a public and a private address are made to get past a check
  for (const { address } of addresses) {
    if (policy.isAllowed(address)) continue;
    throw new EgressError(
      'privateAddress',
      `“${hostname}” has no public address: jobs connect to the public internet only. The operator can allow a network by PLATEN_FETCH_ALLOW.`,
    );
  }
  return addresses;
}

async function resolveName(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new NetworkError(`The name “${host}” cannot be resolved.`, { cause: error });
  });
  if (addresses.length === 0) throw new NetworkError(`The name “${host}” has no address.`);
  return addresses;
}

/** A lookup that returns only these checked addresses, so that DNS rebinding cannot redirect the connection. */
export function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, done) => {
    if (options.all) done(null, [...addresses]);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  };
}
