/** What only asks a map service for something, and is no part of its address. */
const asking = /^(?:service|request|version|layers|layer|styles|format|bbox|width|height|crs|srs)$/i;

/** The address of a map service without what one request asks for. */
export function serviceAddress(address: URL): string {
  const url = new URL(address);
  for (const name of new URL(address).searchParams.keys()) {
    if (asking.test(name)) url.searchParams.delete(name);
  }
  url.hash = '';
  return url.href.replace(/\?$/, '');
}

export interface Candidate {
  readonly ask: URL;
  /** What to register where the answer is something known. */
  readonly register: string;
}

/** Where to look for what an address means, the likeliest first; few, as each takes its time. */
export function candidatesOf(address: URL): Candidate[] {
  const service = serviceAddress(address);
  const capabilities = (name: 'WMS' | 'WMTS'): Candidate => {
    const ask = new URL(service);
    ask.searchParams.set('SERVICE', name);
    ask.searchParams.set('REQUEST', 'GetCapabilities');
    return { ask, register: service };
  };
  const given = { ask: address, register: address.href };
  const text = address.href.toLowerCase();
  if (/service=wmts|\bwmts\b/.test(text) && !/\.xml($|\?)/.test(text)) return [capabilities('WMTS'), given];
  if (/service=wms|\bwms\b|\bows\b|mapserver|geoserver/.test(text)) {
    return [capabilities('WMS'), capabilities('WMTS'), given];
  }
  const isFile = /\.[a-z\d]{2,8}$/i.test(address.pathname);
  if (isFile) return [{ ...given, register: isTerrain(address) ? folderOf(address) : address.href }];
  const inFolder = (name: string, isFolder = false): Candidate => {
    const ask = new URL(address);
    ask.pathname = `${address.pathname.replace(/\/$/, '')}/${name}`;
    return { ask, register: isFolder ? folderOf(ask) : ask.href };
  };
  return [
    given,
    inFolder('tileset.json'),
    inFolder('layer.json', true),
    capabilities('WMS'),
    capabilities('WMTS'),
  ];
}

/** Terrain is addressed by its folder. */
const isTerrain = ({ pathname }: URL) => pathname.endsWith('/layer.json');
const folderOf = (address: URL) => new URL('.', address).href.replace(/\/$/, '');
