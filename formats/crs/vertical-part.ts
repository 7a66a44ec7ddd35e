import { fullCode } from './authority.ts';
import { readEpsgEntry } from './epsg-entry.ts';
import { parseCrsText } from './parse-crs-text.ts';
import { UnknownCrs } from './unknown-crs.ts';
import { findNode, parseWkt } from './wkt-tree.ts';

const verticalKeywords = ['VERT_CS', 'VERTCRS', 'VERTICALCRS'];

/** Names of the German surveys: GeoInfoDok, annex on CRSs. */
const germanHeights: Readonly<Record<string, string>> = {
  DE_DHHN2016_NH: 'DHHN2016 height',
  DE_DHHN92_NH: 'DHHN92 height',
  DE_DHHN85_NOH: 'DHHN85 height',
  DE_DHHN12_NOH: 'DHHN12 height',
};

/**
 * The name of the vertical CRS, for any spelling that `findCrs` takes: `NAP height` for EPSG:7415, `DHHN2016 height`
 * for EPSG:25832+7837. Undefined if the CRS has no heights.
 */
export function verticalPart(crsText: string): string | undefined {
  const text = crsText.trim();
  const german = /\*([A-Z0-9_]+)$/.exec(text)?.[1];
  if (german !== undefined && germanHeights[german] !== undefined) return germanHeights[german];
  const second = /(?:\+|::|EPSG\/[^/]*\/)(\d{4,6})$/.exec(text)?.[1];
  const entry = second === undefined ? undefined : readEpsgEntry(second);
  if (entry?.kind === 'CRS-VERTCRS') return entry.name;
  try {
    const named = parseCrsText(text);
    if (named.kind === 'wkt') return verticalOf(named.text);
    return named.kind === 'code' ? verticalOfCode(named.code) : undefined;
  } catch (error) {
    if (error instanceof UnknownCrs) return undefined;
    throw error;
  }
}

function verticalOfCode(code: string): string | undefined {
  const entry = readEpsgEntry(code);
  if (entry === undefined) return undefined;
  if (entry.kind === 'CRS-VERTCRS') return entry.name;
  if (entry.kind === 'CRS-GEOG3DCRS') return `ellipsoid of ${entry.name} (${fullCode(code)})`;
  return entry.kind === 'CRS-COMPOUNDCRS' && entry.wkt ? verticalOf(entry.wkt) : undefined;
}

function verticalOf(wkt: string): string | undefined {
  const name = findNode(parseWkt(wkt), verticalKeywords)?.values[0];
  return name === undefined ? undefined : String(name).slice(0, 100);
}
