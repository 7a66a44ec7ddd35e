/**
 * The name in a `crs` member (GeoJSON 2008, which RFC 7946 took out): undefined if it says nothing, as with
 * null; otherwise what it names, for links their address.
 */
export function crsName(member: unknown): string | undefined {
  if (member === null || member === undefined) return undefined;
  if (typeof member === 'string') return member;
  const properties = (member as { properties?: unknown }).properties;
  if (typeof properties === 'object' && properties !== null) {
    const { name, href, code } = properties as Record<string, unknown>;
    if (typeof name === 'string') return name;
    if (typeof href === 'string') return href;
    if (typeof code === 'number' || typeof code === 'string') return `EPSG:${code}`;
  }
  return JSON.stringify(member).slice(0, 200);
}

/**
 * What a name means, if it is one that needs no transformation library. GeoJSON always has the longitude first,
 * whatever the authority of EPSG:4326 says of axes.
 */
export function knownCrs(name: string): 'lonLat' | 'webMercator' | undefined {
  const upper = name.trim().toUpperCase();
  if (/(?:^|[:/])(?:CRS84H?|WGS ?84)$/.test(upper)) return 'lonLat';
  const code = /^(?:EPSG:|.*[:/]EPSG[:/](?:[\d.]*[:/])?)?(\d+)$/.exec(upper)?.[1];
  if (code === '4326' || code === '4979') return 'lonLat';
  if (code === '3857' || code === '900913' || code === '102100' || code === '3785') return 'webMercator';
  return undefined;
}
