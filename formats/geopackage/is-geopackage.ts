const magic = new TextEncoder().encode('SQLite format 3\0');

/**
 * From the first 16 bytes. True of every SQLite database: the older GeoPackages do not name themselves in the
 * header, and opening tells best what else it is.
 */
export function isGeoPackage(head: Uint8Array): boolean {
  return head.length >= magic.length && magic.every((byte, at) => head[at] === byte);
}
