import type { Settings } from '../base/config.ts';

const maxAgeSeconds = 2 * 365 * 24 * 3600;

/**
 * The Strict-Transport-Security header: browsers use https only, from the first visit on. undefined unless all addresses
 * of the service are https.
 */
export function strictTransport({
  baseUrl,
  publicUrl,
  strictTransportFor,
}: Pick<Settings, 'baseUrl' | 'publicUrl' | 'strictTransportFor'>): string | undefined {
  const addresses = [baseUrl, publicUrl].filter((address) => address !== undefined);
  if (strictTransportFor === 'none' || addresses.length === 0) return undefined;
  if (!addresses.every((address) => address.startsWith('https:'))) return undefined;
  return `max-age=${maxAgeSeconds}${strictTransportFor === 'subdomains' ? '; includeSubDomains' : ''}`;
}
