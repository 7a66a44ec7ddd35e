/**
 * Whether a code or WKT is a geocentric coordinate system (EPSG:4978): x, y, z in metres from the centre of the earth. All of them count as the
 * one of WGS 84, as other datums of today agree with it to a metre or two.
 */
export function isGeocentric(text: string): boolean {
  const plain = text.trim().toUpperCase();
  if (plain === 'EPSG:4978' || plain.startsWith('GEOCCS[')) return true;
  return /^GEOD(?:ETIC)?CRS\[/.test(plain) && plain.includes('CS[CARTESIAN');
}
