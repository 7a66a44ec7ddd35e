import { clearGeometry, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { readWkb } from '../wkb/read-wkb.ts';

/** Doubles in the envelope by its code; OGC 12-128r19, table 5. */
const envelopeDoubles = [0, 4, 6, 6, 8];

/**
 * Reads a value of a geometry column: GeoPackageBinary (OGC 12-128r19, 2.1.3.1.1).
 * @param geometry overwritten
 * @returns the problem, in which case the geometry is empty
 */
export function readGeoPackageGeometry(blob: Uint8Array, geometry: GeometryBuffer): string | undefined {
  const problem = headerProblem(blob);
  const flags = blob[3]!;
  const empty = (flags & 0x10) !== 0;
  if (problem !== undefined || empty) {
    clearGeometry(geometry);
    return problem;
  }
  return readWkb(blob, 8 + envelopeDoubles[(flags >> 1) & 7]! * 8, geometry);
}

function headerProblem(blob: Uint8Array): string | undefined {
  if (blob.length < 8) return 'the geometry is cut off';
  if (blob[0] !== 0x47 || blob[1] !== 0x50)
    return 'the geometry is not a GeoPackage geometry: it does not begin with GP';
  if (blob[2] !== 0) return `version ${blob[2]} of GeoPackage geometries is unknown`;
  if ((blob[3]! & 0x20) !== 0) return 'the geometry has an extended type that is not supported';
  if (((blob[3]! >> 1) & 7) >= envelopeDoubles.length)
    return 'the envelope of the geometry has an unknown form';
  return undefined;
}
