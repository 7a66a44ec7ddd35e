const magic = new TextEncoder().encode('SQLite format 3\0');

/**
 * Checks the first 16 bytes. True for every SQLite database, because older GeoPackages are not marked in the header;
 * opening the file tells them apart.
 */
export function isGeoPackage(head: Uint8Array): boolean {
  return head.length >= magic.length && magic.every((byte, at) => head[at] === byte);
}
