import type { Settings } from '../base/config.ts';
import { ownAddresses } from './own-hosts.ts';

const maxAgeSeconds = 2 * 365 * 24 * 3600;

/**
 * The Strict-Transport-Security header: browsers use https only, from the first visit on. undefined unless all addresses
 * of the service are https.
 */
export function strictTransport({
  strictTransportFor,
  ...settings
}: Pick<Settings, 'baseUrl' | 'publicUrl' | 'strictTransportFor'>): string | undefined {
  const addresses = ownAddresses(settings);
  if (strictTransportFor === 'none' || addresses.length === 0) return undefined;
  if (!addresses.every((address) => address.startsWith('https:'))) return undefined;
  return `max-age=${maxAgeSeconds}${strictTransportFor === 'subdomains' ? '; includeSubDomains' : ''}`;
}
