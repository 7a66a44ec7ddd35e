import { areaOf } from './area.ts';
import { fullCode } from './authority.ts';
import { assembleCrs } from './assemble-crs.ts';
import { chooseDefinition } from './choose-definition.ts';
import type { Crs, CrsNote } from './crs.ts';
import { readEpsgEntry } from './epsg-entry.ts';
import type { EpsgEntry } from './register.ts';
import { matchWkt } from './match-wkt.ts';
import { plainName, readNameIndex, suggestNames } from './name-index.ts';
import { isNorthingFirst } from './northing-first.ts';
import { compoundName, parseCrsText } from './parse-crs-text.ts';
import { UnknownCrs } from './unknown-crs.ts';
import { authorityOf, findNode, geographicKeywords, parseWkt, projectedKeywords } from './wkt-tree.ts';

export type { Crs } from './crs.ts';
export { UnknownCrs } from './unknown-crs.ts';

/**
 * The CRS that a file or a person means: a code in any of its spellings (`EPSG:25832`, a URN, a link of the OGC,
 * `CRS84`), WKT of either version, the .prj of a shapefile, a PROJ string, or a name of the register. What it gives
 * has been tried: the middle of its area goes there and back.
 * @throws UnknownCrs
 */
export function findCrs(text: string): Crs {
  const named = parseCrsText(text);
  switch (named.kind) {
    case 'code': {
      const crs = named.isCompound ? withHorizontal(findByCode(named.code)) : findByCode(named.code);
      return named.isLonLat ? { ...crs, northingFirst: false } : crs;
    }
    case 'wkt':
      return findByWkt(named.text);
    case 'proj':
      return findByProj(named.text);
    case 'name': {
      const [horizontal, vertical] = compoundName(named.text);
      const crs = findByCode(codeByName(horizontal));
      return vertical === undefined ? crs : withHorizontal(crs);
    }
  }
}

function findByWkt(text: string): Crs {
  const matched = matchWkt(text);
  const { name } = matched;
  const crs =
    matched.code === undefined
      ? assembleCrs({ name, definition: matched.definition, notes: [], northingFirst: false })
      : findByCode(matched.code);
  return matched.isCompound ? withHorizontal(crs) : crs;
}

function findByProj(text: string): Crs {
  const definition = { text: text.replace(/^[^+]+/, '') };
  return assembleCrs({ name: shorten(text), definition, notes: [], northingFirst: false });
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function withHorizontal(crs: Crs): Crs {
  const note: CrsNote = {
    code: 'compoundHorizontal',
    message: `only the horizontal part of the compound coordinate system, ${crs.name}, is used: heights stay unchanged`,
  };
  return { ...crs, notes: [note, ...crs.notes.filter(({ code }) => code !== note.code)] };
}

function findByCode(code: string): Crs {
  const entry = readEpsgEntry(code);
  if (entry !== undefined) refuseKind(entry);
  if (entry?.kind === 'CRS-COMPOUNDCRS') return findCompound(entry);
  const definition = chooseDefinition(code, entry);
  if (definition === undefined) throw entry === undefined ? unknownCode(code) : notComputable(entry);
  const { notes, ...rest } = definition;
  return assembleCrs({
    code: fullCode(code),
    name: entry?.name ?? fullCode(code),
    definition: rest,
    notes,
    northingFirst: entry === undefined ? definition.text.includes('+proj=longlat') : isNorthingFirst(entry),
    ...(entry?.bbox != null && { area: areaOf(entry.bbox) }),
  });
}

/** The transformation of its horizontal part, as epsg-index leaves out the datum shifts of compounds. */
function findCompound(entry: EpsgEntry): Crs {
  const node = entry.wkt
    ? findNode(parseWkt(entry.wkt), [...projectedKeywords, ...geographicKeywords])
    : undefined;
  const [, code] = (node && authorityOf(node)) ?? [];
  if (code === undefined) throw notComputable(entry);
  const crs = withHorizontal(findByCode(code));
  const area = entry.bbox === null ? crs.area : areaOf(entry.bbox);
  return { ...crs, code: fullCode(entry.code), name: entry.name, ...(area !== undefined && { area }) };
}

const refusals: Readonly<Record<string, string>> = {
  'CRS-VERTCRS':
    'is vertical: it has heights only. Enter the horizontal coordinate system of the data, as in EPSG:25832+5783.',
  'CRS-GCENCRS':
    'is geocentric: its origin is the centre of the earth. Transform the data to a geographic coordinate system such as EPSG:4326.',
  'CRS-ENGCRS': 'is local: its position on earth is unknown. Transform the data to EPSG:4326.',
  'CRS-DRVDCRS':
    'is derived from another by a local rule, which is not supported. Transform the data to EPSG:4326.',
};

function refuseKind({ code, kind, name }: EpsgEntry): void {
  const why = refusals[kind];
  if (why !== undefined) throw new UnknownCrs(`${fullCode(code)} (${name}) ${why}`);
}

function notComputable({ code, name }: EpsgEntry): UnknownCrs {
  return new UnknownCrs(
    `${fullCode(code)} (${name}) has a projection that is not supported. Transform the data to EPSG:4326.`,
  );
}

function unknownCode(code: string): UnknownCrs {
  const near = transpositions(code).filter((other) => readEpsgEntry(other)?.kind === 'CRS-PROJCRS');
  const names = near.map((other) => `${fullCode(other)} (${readEpsgEntry(other)!.name})`);
  const hint = names.length > 0 ? ` Did you mean ${names.join(' or ')}?` : '';
  return new UnknownCrs(`The coordinate system ${code} does not exist.${hint} Codes are listed at epsg.org.`);
}

/** Two neighbouring digits the other way round: the likeliest mistake that can be undone. */
function transpositions(code: string): string[] {
  const swapped = Array.from(
    { length: code.length - 1 },
    (_, i) => code.slice(0, i) + code[i + 1]! + code[i]! + code.slice(i + 2),
  );
  return [...new Set(swapped)].filter((other) => other !== code);
}

function codeByName(text: string): string {
  if (text === '') throw new UnknownCrs('The coordinate system is missing.');
  const plain = plainName(text.slice(0, 200));
  const code = readNameIndex().codes.get(plain)?.[0];
  if (code !== undefined) return code;
  const near = suggestNames(text.slice(0, 200));
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  throw new UnknownCrs(
    `"${shorten(text)}" is not a known coordinate system: enter a code such as EPSG:25832, WKT, a PROJ string or a name.${hint}`,
  );
}
