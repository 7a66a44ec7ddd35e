import { fullCode } from './authority.ts';
import { readAllEpsgEntries } from './epsg-entry.ts';

export interface NameIndex {
  /** Codes of horizontal CRSs by their plain name, EPSG's before ESRI's; a name may have several. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
  /** Codes of projected CRSs by the part of the name behind the slash: `britishnationalgrid`. */
  readonly projections: ReadonlyMap<string, readonly string[]>;
  /** Codes of geographic CRSs by the plain name of their datum. */
  readonly datums: ReadonlyMap<string, readonly string[]>;
  /** All names in their original spelling, for suggestions. */
  readonly names: readonly { readonly code: string; readonly name: string; readonly plain: string }[];
}

let index: NameIndex | undefined;

/** Indexes all names: about 100 ms the first time, and 3 MB of memory from then on. */
export function readNameIndex(): NameIndex {
  index ??= buildIndex();
  return index;
}

function buildIndex(): NameIndex {
  const codes = new Map<string, string[]>();
  const projections = new Map<string, string[]>();
  const datums = new Map<string, string[]>();
  const names: { code: string; name: string; plain: string }[] = [];
  for (const { code, kind, name, wkt } of readAllEpsgEntries()) {
    if (kind !== 'CRS-PROJCRS' && kind !== 'CRS-GEOGCRS') continue;
    const plain = plainName(name);
    names.push({ code, name, plain });
    add(codes, plain, code);
    const slash = name.lastIndexOf(' / ');
    if (slash > 0) add(projections, plainName(name.slice(slash)), code);
    const datum = kind === 'CRS-GEOGCRS' ? /DATUM\["([^"]+)"/.exec(wkt ?? '')?.[1] : undefined;
    if (datum !== undefined) add(datums, plainName(datum), code);
  }
  return { codes, projections, datums, names };
}

function add(map: Map<string, string[]>, key: string, code: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [code]);
  else known.push(code);
}

/** Terms of ESRI that differ, in plain spelling. */
const synonyms: readonly (readonly [RegExp, string])[] = [
  [/^(?:gcs|d)_/i, ''],
  [/[^a-z0-9+]+/gi, ''],
  [/19(\d\d)(?!\d)/g, '$1'],
  [/northamerican(?:datum)?(27|83)/, 'nad$1'],
  [/european(?:datum)?50/, 'ed50'],
  [/deutscheshauptdreiecksnetz/, 'dhdn'],
  [/^hungarian72/, 'hd72'],
  [/^southamerican69/, 'sad69'],
  [/^newzealand49/, 'nzgd49'],
  [/^pulkovo42adj(58|83)/, 'pulkovo1942$1'],
  [/^europeanlibyan(?:datum)?79/, 'eld79'],
  [/^kertau$/, 'kertau68'],
  [/europeanterrestrialreferencesystem89/, 'etrs89'],
  [/worldgeodeticsystem84/, 'wgs84'],
  [/gausskruger|gk(?=zone)/, 'gauss'],
  [/stateplane|fips\d+|ftus|usfeet|feet/g, ''],
  [/(rgf93)v\d[a-z]?/, '$1'],
  [/webmercatorauxiliarysphere|webmercator$/, 'pseudomercator'],
  [/belgelambert72/, 'bd72belgianlambert72'],
  [/^(?:reseaunational)?belge72$/, 'bd72'],
];

/** The plain spelling in which `ETRS_1989_UTM_Zone_32N` and `ETRS89 / UTM zone 32N` are equal. */
export function plainName(name: string): string {
  let plain = name.toLowerCase();
  for (const [pattern, replacement] of synonyms) plain = plain.replace(pattern, replacement);
  return plain;
}

/** Up to three names, those that share the most trigrams with the text. */
export function suggestNames(text: string): string[] {
  const plain = plainName(text);
  const trigramCount = Math.max(0, plain.length - 2);
  const trigrams = new Set(Array.from({ length: trigramCount }, (_, i) => plain.slice(i, i + 3)));
  return readNameIndex()
    .names.map(({ code, name, plain: own }) => ({ code, name, score: likeness(own, trigrams) }))
    .filter(({ score }) => score > 0.4)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ code, name }) => `${fullCode(code)} (${name})`);
}

/** The share of common trigrams, from 0 to 1. */
function likeness(text: string, trigrams: ReadonlySet<string>): number {
  let shared = 0;
  for (let i = 0; i + 3 <= text.length; i++) if (trigrams.has(text.slice(i, i + 3))) shared++;
  return shared / Math.max(1, text.length - 2 + trigrams.size - shared);
}
