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
