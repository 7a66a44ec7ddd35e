import { mapInTurns } from '../../base/map-in-turns.ts';

/** Keys of links that the map viewer never loads itself. */
const links = new Set(['attributions', 'copyright', 'infoUrl']);

/** The policy must fit into a header. */
export const maxHosts = 50;
const origin = /^https?:\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/;

/**
 * The foreign origins that an app needs, as `https://tiles.example.org`, sorted. They come from all absolute addresses
 * in its compiled modules, except in the modules' own `properties`: the viewer reads `properties` of layers (such as
 * legends), but not those of modules. A subdomain placeholder (`{a-c}.tile…`) becomes `*`.
 */
export async function foreignHosts(modules: readonly object[]): Promise<string[]> {
  const hosts = new Set<string>();
  await mapInTurns(modules, (module) => addHosts(module, hosts));
  return [...hosts].toSorted();
}

function addHosts(module: object, hosts: Set<string>): void {
  const add = (text: string) => {
    const host = originOf(text);
    if (host !== undefined && hosts.size < maxHosts) hosts.add(host);
  };
  const walk = (value: unknown): void => {
    if (typeof value === 'string') return add(value);
    if (value === null || typeof value !== 'object') return;
    if ('type' in value && value.type === 'OpenStreetMapLayer') add('https://{s}.tile.openstreetmap.org');
    for (const [key, child] of Object.entries(value)) if (!links.has(key)) walk(child);
  };
  for (const [key, value] of Object.entries(module)) if (key !== 'properties') walk(value);
}

/** The origin of an absolute address, as a content security policy names it. */
export function originOf(text: string): string | undefined {
  const [, scheme, authority = ''] = /^(https?:)\/\/([^/?#\s]+)/i.exec(text) ?? [];
  if (scheme === undefined || authority.includes('@')) return undefined;
  const host = authority.toLowerCase().replace(/^\{[^{}]*\}\./, '*.');
  const result = `${scheme.toLowerCase()}//${host}`;
  // a star may stand for one part of a site, not for all sites under a top-level domain
  if (!origin.test(result) || (host.startsWith('*.') && host.split('.').length < 4)) return undefined;
  return result;
}
