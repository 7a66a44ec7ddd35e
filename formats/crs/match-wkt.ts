import { chooseDefinition } from './choose-definition.ts';
import { areaOf, middleOf } from './area.ts';
import { readEpsgEntry } from './epsg-entry.ts';
import { plainName, readNameIndex } from './name-index.ts';
import { openTransform, type Definition } from './open-transform.ts';
import { currentCode } from './parse-crs-text.ts';
import { UnknownCrs } from './unknown-crs.ts';
import {
  authorityOf,
  childOf,
  findNode,
  geographicKeywords,
  parseWkt,
  projectedKeywords,
  type WktNode,
} from './wkt-tree.ts';
import { degreesOf, writeProj } from './write-proj.ts';

/** A code of the register, or else a definition of its own. */
export type MatchedWkt = { readonly isCompound: boolean; readonly name: string } & (
  | { readonly code: string }
  | { readonly code?: never; readonly definition: Definition }
);

/**
 * The CRS of a WKT of either version. With an authority's code it is the register's, as WKT seldom has a datum shift;
 * else it is looked for by its name, and found only if it agrees on the place within a metre; else the WKT itself
 * counts, with the shift of the datum that it names. @throws UnknownCrs
 */
export function matchWkt(text: string): MatchedWkt {
  const root = parseWkt(text);
  const { node, isCompound } = horizontalPart(root);
  const name = nameOf(node);
  const common = { isCompound, name };
  const [authority, id] = authorityOf(node) ?? [];
  if ((authority === 'EPSG' || authority === 'ESRI') && readEpsgEntry(id!) !== undefined)
    return { ...common, code: currentCode(id!) };
  const definition = defineByWkt(node, root === node ? text : writeWkt(node));
  const code = findByName(node, name, definition);
  if (code !== undefined) return { ...common, code };
  return { ...common, definition };
}

/** A hostile one may have 100,000 characters. */
function nameOf({ values }: WktNode): string {
  return String(values[0] ?? 'unnamed').slice(0, 100);
}

const refused: readonly (readonly [RegExp, string])[] = [
  [/^VERT/, 'is vertical: it has heights only'],
  [/^(?:GEOCCS|GEODCRS|GEODETICCRS)$/, 'is geocentric: its origin is the centre of the earth'],
  [/^(?:LOCAL_CS|ENGCRS|ENGINEERINGCRS)$/, 'is local: its position on earth is unknown'],
];

function horizontalPart(root: WktNode): { node: WktNode; isCompound: boolean } {
  if (root.keyword === 'BOUNDCRS') {
    const inner = childOf(root, 'SOURCECRS')?.children[0];
    if (inner !== undefined) return horizontalPart(inner);
  }
  if (root.keyword === 'COMPD_CS' || root.keyword === 'COMPOUNDCRS') {
    const first = root.children[0];
    if (first !== undefined) return { ...horizontalPart(first), isCompound: true };
  }
  const isGeocentric = root.keyword.startsWith('GEOD') && childOf(root, 'CS')?.values[0] === 'Cartesian';
  const isHorizontal = [...geographicKeywords, ...projectedKeywords].includes(root.keyword) && !isGeocentric;
  if (isHorizontal) return { node: root, isCompound: false };
  const why =
    refused.find(([pattern]) => pattern.test(root.keyword))?.[1] ??
    `is a ${root.keyword}, which cannot be put on a map`;
  throw new UnknownCrs(
    `The coordinate system "${nameOf(root)}" ${why}. Enter the horizontal coordinate system of the data, or transform the data to EPSG:4326.`,
  );
}

/** The WKT of a compound or bound CRS as proj4 takes it. */
function writeWkt({ keyword, values, children }: WktNode): string {
  const texts = values.map((value) =>
    typeof value === 'string' && !isWord(keyword) ? `"${value.replaceAll('"', "'")}"` : String(value),
  );
  return `${keyword}[${[...texts, ...children.map((child) => writeWkt(child))].join(',')}]`;
}

/** WKT 2 has words without quotes only here; WKT 1 in AXIS, which is not read then. */
function isWord(keyword: string): boolean {
  return keyword === 'CS' || keyword === 'ORDER';
}

/** `isOurs`: the projection is ours, not proj4's, which may be wrong. */
type WktDefinition = Definition & { readonly isOurs: boolean };

function defineByWkt(node: WktNode, text: string): WktDefinition {
  const geographic = findNode(node, geographicKeywords);
  if (geographic === undefined) {
    throw new UnknownCrs(
      `The WKT of the coordinate system "${nameOf(node)}" names no geographic coordinate system as its base. Enter its EPSG code instead.`,
    );
  }
  const written = writeProj(node);
  const degreesPerUnit = degreesOf(geographic);
  const datum = findNode(node, ['TOWGS84']) === undefined ? findDatum(geographic) : undefined;
  return {
    text: written ?? text,
    isOurs: written !== undefined,
    ...(datum !== undefined && { datumText: datum }),
    ...(degreesPerUnit !== 1 && !projectedKeywords.includes(node.keyword) && { degreesPerUnit }),
  };
}

const datumKeywords = ['DATUM', 'TRF', 'GEODETICDATUM', 'ENSEMBLE'];

/** The definition of the geographic CRS in the register. */
function findDatum(geographic: WktNode): string | undefined {
  const [authority, id] = authorityOf(geographic) ?? [];
  const { codes, datums } = readNameIndex();
  const datum = childOf(geographic, ...datumKeywords)?.values[0];
  const found =
    authority === 'EPSG'
      ? [id!]
      : (codes.get(plainName(String(geographic.values[0]))) ??
        datums.get(plainName(String(datum ?? ''))) ??
        []);
  for (const code of found) {
    const entry = readEpsgEntry(code);
    if (entry !== undefined && !entry.kind.startsWith('CRS-GEOG')) continue;
    const definition = chooseDefinition(code, entry);
    if (definition !== undefined) return definition.text;
  }
  return undefined;
}

function findByName(node: WktNode, name: string, definition: WktDefinition): string | undefined {
  const { codes, projections } = readNameIndex();
  const plain = plainName(name);
  const candidates = [...(codes.get(plain) ?? []), ...(projections.get(plain) ?? [])];
  return candidates.find((code) => hasSameDatum(code, node) && agrees(code, node, definition));
}

function hasSameDatum(code: string, node: WktNode): boolean {
  const wkt = readEpsgEntry(code)?.wkt;
  const own = findNode(node, geographicKeywords);
  // without WKT only the name can be compared, and it is the same
  if (!wkt) return true;
  const theirs = findNode(parseWkt(wkt), geographicKeywords);
  return (
    own !== undefined &&
    theirs !== undefined &&
    datumNames(own).some((name) => datumNames(theirs).includes(name))
  );
}

function datumNames(geographic: WktNode): string[] {
  const datum = childOf(geographic, ...datumKeywords);
  return [geographic, datum].flatMap((node) => (node === undefined ? [] : plainName(String(node.values[0]))));
}

/** Degrees: about a metre. */
const tolerance = 1e-5;

/** Whether both definitions map the centre of the code's area to the same place, on the same datum. */
function agrees(code: string, node: WktNode, definition: WktDefinition): boolean {
  const entry = readEpsgEntry(code);
  const chosen = chooseDefinition(code, entry);
  if (entry?.bbox == null || chosen === undefined) return false;
  const isProjected = entry.kind === 'CRS-PROJCRS';
  if (isProjected !== projectedKeywords.includes(node.keyword)) return false;
  // a result of proj4 proves nothing, so the name has to do
  if (!definition.isOurs) return true;
  const middle = middleOf(areaOf(entry.bbox));
  try {
    const coordinates = Float64Array.from(middle);
    openTransform(chosen).fromLonLat(coordinates, 1);
    openTransform({ ...definition, datumText: chosen.text }).toLonLat(coordinates, 1);
    const [x, y] = coordinates as unknown as [number, number];
    const eastwards = Math.abs(((x - middle[0] + 540) % 360) - 180);
    return eastwards < tolerance && Math.abs(y - middle[1]) < tolerance;
  } catch {
    // proj4 cannot read it, so nothing agrees with it
    return false;
  }
}
