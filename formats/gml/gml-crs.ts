import { findCrs, UnknownCrs } from '../crs/find-crs.ts';

export interface GmlCrs {
  /** The same for all names of one CRS. */
  readonly key: string;
  /** Whether the file has the northing or latitude first. */
  readonly northingFirst: boolean;
}

/** WKT is long, but not that long. */
const maxNameLength = 10_000;
const known = new Map<string, GmlCrs>();
const inAuthorityOrder = /^(?:urn:|https?:\/\/www\.opengis\.net\/def\/)/i;

/**
 * Parses an srsName. Axes are in the order of the authority if it is a URN or an http URI of the OGC register (OGC
 * 06-023r1, OGC 09-048r3). Easting is first for `EPSG:4326` or `http://www.opengis.net/gml/srs/epsg.xml#4326`, because
 * servers that use these forms never followed the authority. GDAL's GML driver decides the same way (its
 * documentation, "CRS support").
 */
export function gmlCrs(srsName: string): GmlCrs {
  const found = known.get(srsName);
  if (found !== undefined) return found;
  const crs = lookUp(srsName.trim());
  if (known.size < 1000 && srsName.length <= maxNameLength) known.set(srsName, crs);
  return crs;
}

function lookUp(name: string): GmlCrs {
  if (name.length > maxNameLength) return { key: name.slice(0, maxNameLength), northingFirst: false };
  try {
    const { code, northingFirst } = findCrs(name);
    return { key: code ?? name, northingFirst: northingFirst && inAuthorityOrder.test(name) };
  } catch (error) {
    // The CRS of the layer is looked up again where it is needed, and refused there with a message.
    if (error instanceof UnknownCrs) return { key: name, northingFirst: false };
    throw error;
  }
}
