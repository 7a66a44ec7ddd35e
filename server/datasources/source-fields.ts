import type { SourceProperties } from '@platen/contract/datasources';
import { invalidAt } from '../base/failure.ts';

/**
 * Checks only the syntax: nothing is fetched. Templates in braces are not valid in URLs, but clients replace them.
 */
export function checkUrl(url: string): void {
  const pointer = '/sourceProperties/url';
  const filled = url.replace(/\{[\w-]+\}/g, '0');
  const parsed = URL.canParse(filled) ? new URL(filled) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || /[\s\p{Cc}]/u.test(url))
    throw invalidAt(pointer, 'It must be an http or https address, such as https://example.org/tiles.');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalidAt(
      pointer,
      'It must not contain a user name or password: everyone who sees the map could read them.',
    );
}

export function checkSuffix(suffix: string | undefined): void {
  if (suffix === undefined) return;
  const isBad =
    /[\\\p{Cc}]/u.test(suffix) || suffix.split(/[/?]/).some((part) => part === '..' || part === '.');
  if (isBad) throw invalidAt('/sourceProperties/urlSuffix', 'It must be a path within the folder.');
}

export function checkBbox([, south, , north]: readonly number[]): void {
  if (Math.abs(south!) > 90 || Math.abs(north!) > 90)
    throw invalidAt('/bbox', 'Latitudes must be between -90 and 90.');
  if (south! > north!)
    throw invalidAt('/bbox', 'The order is west, south, east, north: south must not exceed north.');
}

export function isSameSource(one: SourceProperties, other: SourceProperties): boolean {
  if (one.type === 'external') return other.type === 'external' && one.url === other.url;
  if (other.type === 'external') return false;
  const { dataBucketId, dataBucketKey, urlSuffix } = one;
  return (
    dataBucketId === other.dataBucketId &&
    dataBucketKey === other.dataBucketKey &&
    urlSuffix === other.urlSuffix
  );
}
