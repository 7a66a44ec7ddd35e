import { BlockList, isIP, isIPv6 } from 'node:net';

/** The addresses that requests may go to. */
export interface EgressPolicy {
  /** Allows plain http, which anyone on the network path can read and change. */
  readonly allowsHttp: boolean;
  /** Whether a connection to this IP address is allowed. */
  isAllowed(address: string): boolean;
}

/**
 * Ranges that are not public unicast: IANA's special-purpose registries (RFC 6890), every IPv6 range that embeds an IPv4
 * address, which could be a private one, and public addresses by which clouds configure their machines.
 */
const reserved: readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'], // services of the host, in Azure
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
];
/** IPv6 global unicast, the only public range: it excludes `::`, `::ffff:0:0/96`, `fe80::` and `fc00::`. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Parses PLATEN_FETCH_ALLOW, such as `http 10.20.0.0/16 fd12::/48`: networks to allow, and whether plain http is.
 * @throws Error with a message of one line that names the invalid word
 */
export function parseEgressPolicy(setting: string): EgressPolicy {
  const words = setting.split(/[\s,]+/).filter(Boolean);
  const allowed = new BlockList();
  for (const word of words) {
    if (word === 'http') continue;
    const [network = '', prefix = ''] = word.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    const bits = prefix === '' ? NaN : Number(prefix);
    const isUsable = isIP(network) !== 0 && Number.isInteger(bits) && bits >= 0;
    if (!isUsable || bits > (family === 'ipv6' ? 128 : 32))
      throw new Error(
        `PLATEN_FETCH_ALLOW takes the word http and networks such as 10.20.0.0/16, not “${word}”.`,
      );
    allowed.addSubnet(network, bits, family);
  }
  const denied = new BlockList();
  for (const [network, prefix, family] of reserved) denied.addSubnet(network, prefix, family);
  return {
    allowsHttp: words.includes('http'),
    isAllowed(address) {
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (isIP(address) === 0) return false;
      if (allowed.check(address, family)) return true;
      if (family === 'ipv6' && !globalUnicast.check(address, 'ipv6')) return false;
      return !denied.check(address, family);
    },
  };
}
