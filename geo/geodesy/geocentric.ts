/** WGS 84 (NIMA TR8350.2). */
const semiMajor = 6378137;
const flattening = 1 / 298.257223563;
const eccentricity2 = flattening * (2 - flattening);
const semiMinor = semiMajor * (1 - flattening);
const secondEccentricity2 = eccentricity2 / (1 - eccentricity2);
const degrees = 180 / Math.PI;

export type Vector = readonly [x: number, y: number, z: number];

/**
 * Longitude, latitude (degrees) and ellipsoidal height (metres) of a position in EPSG:4978. Bowring 1985: exact to
 * a hundredth of a millimetre up to hundreds of kilometres above the surface; NaN at the centre of the earth.
 */
export function geodeticOf([x, y, z]: Vector): [lon: number, lat: number, height: number] {
  const fromAxis = Math.hypot(x, y);
  const radius = Math.hypot(fromAxis, z);
  if (!(radius > 0)) return [NaN, NaN, NaN];
  const reduced = Math.atan2(
    semiMinor * z * (1 + (secondEccentricity2 * semiMinor) / radius),
    semiMajor * fromAxis,
  );
  const lat = Math.atan2(
    z + secondEccentricity2 * semiMinor * Math.sin(reduced) ** 3,
    fromAxis - eccentricity2 * semiMajor * Math.cos(reduced) ** 3,
  );
  const normal = semiMajor / Math.sqrt(1 - eccentricity2 * Math.sin(lat) ** 2);
  const height = fromAxis * Math.cos(lat) + z * Math.sin(lat) - (semiMajor * semiMajor) / normal;
  return [Math.atan2(y, x) * degrees, lat * degrees, height];
}

/** Inverse of geodeticOf: degrees and metres to EPSG:4978. */
export function geocentricOf(lon: number, lat: number, height: number): [number, number, number] {
  const [sinLat, cosLat] = [Math.sin(lat / degrees), Math.cos(lat / degrees)];
  const normal = normalRadius(sinLat);
  return [
    (normal + height) * cosLat * Math.cos(lon / degrees),
    (normal + height) * cosLat * Math.sin(lon / degrees),
    (normal * (1 - eccentricity2) + height) * sinLat,
  ];
}

/** The radius of curvature in the prime vertical. */
function normalRadius(sinLat: number): number {
  return semiMajor / Math.sqrt(1 - eccentricity2 * sinLat * sinLat);
}

/**
 * The same for positions of a grid, whose columns have a longitude and whose rows have a latitude in common.
 * @returns what writes the position of a column and a row at `at`
 */
export function gridToGeocentric(lons: Float64Array, lats: Float64Array) {
  const [cosLons, sinLons] = [
    lons.map((lon) => Math.cos(lon / degrees)),
    lons.map((lon) => Math.sin(lon / degrees)),
  ];
  const [cosLats, sinLats] = [
    lats.map((lat) => Math.cos(lat / degrees)),
    lats.map((lat) => Math.sin(lat / degrees)),
  ];
  const normals = sinLats.map(normalRadius);
  return (
    { column, row, height }: { readonly column: number; readonly row: number; readonly height: number },
    positions: Float64Array,
    at: number,
  ): void => {
    const normal = normals[row]!;
    const fromAxis = (normal + height) * cosLats[row]!;
    positions[at] = fromAxis * cosLons[column]!;
    positions[at + 1] = fromAxis * sinLons[column]!;
    positions[at + 2] = (normal * (1 - eccentricity2) + height) * sinLats[row]!;
  };
}

/** Metres of a degree of longitude and of one of latitude, at a height above the ellipsoid. */
export function metresPerDegreeAt(lat: number, height: number): [perLon: number, perLat: number] {
  const sinLat = Math.sin(lat / degrees);
  const root = Math.sqrt(1 - eccentricity2 * sinLat * sinLat);
  const meridian = (semiMajor * (1 - eccentricity2)) / root ** 3;
  return [((semiMajor / root + height) * Math.cos(lat / degrees)) / degrees, (meridian + height) / degrees];
}
