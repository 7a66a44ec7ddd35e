import { firstEsriCode } from './authority.ts';
import type { EpsgEntry } from './register.ts';

/**
 * Whether EPSG puts the northing or latitude first. In that case the WKT of epsg-index has no AXIS, as GDAL writes it;
 * it has none either for three other kinds: southings and westings, axes that run alike from a pole, and sheets of the
 * map of the Antarctic. Checked against the axes of EPSG v11 for all codes.
 */
export function isNorthingFirst(entry: EpsgEntry): boolean {
  if (Number(entry.code) >= firstEsriCode) return false;
  if (entry.kind.startsWith('CRS-GEOG')) return !entry.name.includes('(lon-lat)');
  const wkt = (entry.wkt ?? '').replace(/,VERT_CS\[.*/s, '');
  if (wkt === '') return isNorthingFirstWithoutWkt(Number(entry.code));
  if (!wkt.includes('PROJCS[')) return true;
  if (wkt.includes('AXIS[') || /\(E,N\)|SCAR IMW/.test(entry.name)) return false;
  const definition = entry.proj4 ?? '';
  const isPolar = /\+proj=(?:stere|laea)\b/.test(definition) && /\+lat_0=-?90\b/.test(definition);
  // RSRGD2000 / RSPS2000 is polar, but has the northing first without saying so.
  const isNorthFirstPolar = entry.name.includes('(N,E)') || entry.code === '5482';
  return !isAskew(entry.code, definition) && (!isPolar || isNorthFirstPolar);
}

/** Southings or westings: `+axis=wsu`, and the Ferro grids of Gusterberg and St. Stephen, which do not say so. */
function isAskew(code: string, definition: string): boolean {
  return definition.includes('+axis=') || code === '8044' || code === '8045';
}

/** Both ends are meant: the projected codes of epsg-index that have no WKT. */
const rangesWithoutWkt: readonly (readonly [number, number])[] = [
  [3139, 3139],
  [5169, 5172],
  [6244, 6275],
  [9895, 9895],
  [27391, 27398],
  [29701, 29702],
  [31251, 31253],
  [31281, 31283],
  [31288, 31290],
];

function isNorthingFirstWithoutWkt(code: number): boolean {
  return rangesWithoutWkt.some(([first, last]) => code >= first && code <= last);
}
