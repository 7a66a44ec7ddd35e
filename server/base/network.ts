import { isIPv4, isIPv6 } from 'node:net';

/** The /64 that one customer of an IPv6 provider usually has, or the whole site of a larger one. */
type PrefixBits = 64 | 48;

/**
 * The network of a client, as failed logins are counted: an IPv4 address itself, the prefix of an IPv6 address, as its
 * owner has all addresses of it. IPv4-mapped addresses are IPv4 addresses.
 */
export function networkOf(address: string, bits: PrefixBits = 64): string {
  const [plain = ''] = address.split('%'); // a zone such as fe80::1%eth0
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return address.slice(0, 64); // a proxy has passed on something else
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const prefix = groups.slice(0, bits / 16).map((group) => group.toString(16));
  return `${prefix.join(':')}::/${bits}`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1); // also without dotted decimals
  const [left = '', right] = canonical.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [numbers(left), numbers(right ?? '')];
  if (right === undefined) return before;
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
