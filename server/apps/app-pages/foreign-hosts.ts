import { mapInTurns } from '../../base/map-in-turns.ts';
import { originOf } from '../../base/origin-of.ts';

/** Keys of links that the map viewer never loads itself. */
const links = new Set(['attributions', 'copyright', 'infoUrl']);

/** The policy must fit into a header. */
export const maxHosts = 50;

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
