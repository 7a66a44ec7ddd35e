/** Parameters of a single request to a map service, which are not part of its address. */
const requestParameters =
  /^(?:service|request|version|layers|layer|styles|format|bbox|width|height|crs|srs)$/i;

/** The address of a map service without what one request asks for. */
export function serviceAddress(address: URL): string {
  const url = new URL(address);
  for (const name of new URL(address).searchParams.keys()) {
    if (requestParameters.test(name)) url.searchParams.delete(name);
  }
  url.hash = '';
  return url.href.replace(/\?$/, '');
}

export interface Candidate {
  readonly probe: URL;
  /** The address to register if the response is recognised. */
  readonly register: string;
}

/** The addresses to try, the most likely first; only a few, because each takes time. */
export function candidatesOf(address: URL): Candidate[] {
  const service = serviceAddress(address);
  const capabilities = (name: 'WMS' | 'WMTS'): Candidate => {
    const probe = new URL(service);
    probe.searchParams.set('SERVICE', name);
    probe.searchParams.set('REQUEST', 'GetCapabilities');
    return { probe, register: service };
  };
  const given = { probe: address, register: address.href };
  const text = address.href.toLowerCase();
  if (/service=wmts|\bwmts\b/.test(text) && !/\.xml($|\?)/.test(text)) return [capabilities('WMTS'), given];
  if (/service=wms|\bwms\b|\bows\b|mapserver|geoserver/.test(text)) {
    return [capabilities('WMS'), capabilities('WMTS'), given];
  }
  const isFile = /\.[a-z\d]{2,8}$/i.test(address.pathname);
  if (isFile) return [{ ...given, register: isTerrain(address) ? folderOf(address) : address.href }];
  const inFolder = (name: string, isFolder = false): Candidate => {
    const probe = new URL(address);
    probe.pathname = `${address.pathname.replace(/\/$/, '')}/${name}`;
    return { probe, register: isFolder ? folderOf(probe) : probe.href };
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
