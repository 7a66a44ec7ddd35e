import { isNorthingFirst } from './northing-first.ts';

export interface GmlCrs {
  /** The same for all names of one CRS. */
  readonly key: string;
  /** Whether the numbers in the file have the northing or latitude first. */
  readonly northingFirst: boolean;
}

const known = new Map<string, GmlCrs>();
const authority =
  /^(?:urn:(?:x-)?ogc:def:crs:EPSG:[^:]*:|https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[^/]*\/)(\d+)$/i;
const plain =
  /^(?:EPSG:+|https?:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#|urn:(?:x-)?ogc:def:crs:EPSG:)(\d+)$/i;

/**
 * What an srsName says. Axes are in the authority's order where it is a URN or an http URI of OGC's register (OGC
 * 06-023r1, OGC 09-048r3), and easting first where it is `EPSG:` or the register of GML 2, whose servers never heeded the
 * authority: GDAL's GML driver decides the same way (gdal.org, drivers/vector/gml, "CRS support").
 */
export function gmlCrs(srsName: string): GmlCrs {
  const found = known.get(srsName);
  if (found !== undefined) return found;
  const name = srsName.trim();
  const code = authority.exec(name)?.[1];
  const plainCode = plain.exec(name)?.[1];
  const key = code ?? plainCode;
  const crs = {
    key: key === undefined ? name : `EPSG:${Number(key)}`,
    northingFirst: code !== undefined && isNorthingFirst(name),
  };
  if (known.size < 1000) known.set(srsName, crs);
  return crs;
}
