import { fullCode } from './authority.ts';
import { readEpsgEntry } from './epsg-entry.ts';
import { ellipsoidOf, ellipsoidOfEntry, type VerticalCrs } from './vertical-crs.ts';
import { findVerticalCode } from './vertical-names.ts';
import {
  authorityOf,
  childOf,
  findNode,
  geographicKeywords,
  parseWkt,
  projectedKeywords,
  type WktNode,
} from './wkt-tree.ts';

const verticalKeywords = ['VERT_CS', 'VERTCRS', 'VERTICALCRS', 'VERTCS'];
const datumKeywords = ['VERT_DATUM', 'VDATUM', 'VRF', 'VERTICALDATUM', 'ENSEMBLE'];
/** The type of ellipsoidal heights in WKT 1 (OGC 01-009, 12.1). */
const ellipsoidalType = 2002;

/** The heights of a WKT of either version, or of ESRI's; undefined if it has none. @throws UnknownCrs */
export function verticalOfWkt(text: string): VerticalCrs | undefined {
  const root = parseWkt(text);
  const node = findNode(root, verticalKeywords);
  return node === undefined ? ellipsoidalHeights(root) : verticalOfNode(node);
}

/** The heights of a code of the register; undefined if it has none. */
export function verticalOfCode(code: string): VerticalCrs | undefined {
  const entry = readEpsgEntry(code);
  if (entry?.kind === 'CRS-GEOG3DCRS') return ellipsoidOfEntry(entry);
  const hasHeights = entry?.kind === 'CRS-VERTCRS' || entry?.kind === 'CRS-COMPOUNDCRS';
  return hasHeights && entry.wkt ? verticalOfWkt(entry.wkt) : undefined;
}

function verticalOfNode(node: WktNode): VerticalCrs {
  const stated = readNode(node);
  const { isEllipsoidal, name, metresPerUnit } = stated;
  if (isEllipsoidal)
    return ellipsoidOf(name, { ...(metresPerUnit && { metresPerUnit }), isOther: isOther(node) });
  const [authority, id] = authorityOf(node) ?? [];
  const isRegistered = authority === 'EPSG' && readEpsgEntry(id!)?.kind === 'CRS-VERTCRS';
  const code = isRegistered ? id! : findVerticalCode(name, stated);
  const registered = code === undefined ? undefined : registeredHeights(code);
  const datum = registered?.datum ?? stated.datum;
  return {
    kind: 'seaLevel',
    ...(code !== undefined && { code: fullCode(code) }),
    name: registered?.name ?? name,
    ...(datum !== undefined && { datum }),
    metresPerUnit: metresPerUnit ?? registered?.metresPerUnit ?? 1,
    isDepth: stated.isDepth ?? registered?.isDepth ?? false,
  };
}

/** What the WKT itself says. */
interface StatedHeights {
  readonly name: string;
  readonly datum: string | undefined;
  readonly metresPerUnit: number | undefined;
  readonly isDepth: boolean | undefined;
  readonly isEllipsoidal: boolean;
}

function registeredHeights(code: string): StatedHeights | undefined {
  const wkt = readEpsgEntry(code)?.wkt;
  return wkt ? readNode(parseWkt(wkt)) : undefined;
}

function readNode(node: WktNode): StatedHeights {
  const datum = childOf(node, ...datumKeywords);
  const [authority, code] = (datum && authorityOf(datum)) ?? [];
  // ESRI: a DATUM, as that of a geographic CRS, in the place of a VDATUM
  const isEllipsoidal = datum?.values[1] === ellipsoidalType || childOf(node, 'DATUM') !== undefined;
  return {
    name: String(node.values[0] ?? 'unnamed').slice(0, 100),
    datum: authority === 'EPSG' ? code : undefined,
    metresPerUnit: unitOf(node),
    isDepth: directionOf(node),
    isEllipsoidal,
  };
}

function unitOf(node: WktNode): number | undefined {
  const metres = findNode(node, ['UNIT', 'LENGTHUNIT'])?.values[1];
  return typeof metres === 'number' && metres > 0 && metres < 1e4 ? metres : undefined;
}

function directionOf(node: WktNode): boolean | undefined {
  const word = String(childOf(node, 'AXIS')?.values[1] ?? '').toLowerCase();
  if (word === 'down' || word === 'up') return word === 'down';
  const direction = node.children.find(
    ({ keyword, values }) => keyword === 'PARAMETER' && values[0] === 'Direction',
  );
  return direction === undefined ? undefined : Number(direction.values[1]) < 0;
}

/** A geographic or projected CRS with three axes has heights above its ellipsoid. */
function ellipsoidalHeights(root: WktNode): VerticalCrs | undefined {
  const node = findNode(root, [...geographicKeywords, ...projectedKeywords]);
  if (node === undefined) return undefined;
  const [authority, id] = authorityOf(node) ?? [];
  const entry = authority === 'EPSG' ? readEpsgEntry(id!) : undefined;
  if (entry?.kind === 'CRS-GEOG3DCRS') return ellipsoidOfEntry(entry);
  const system = childOf(node, 'CS')?.values;
  const axes = node.children.filter(({ keyword }) => keyword === 'AXIS');
  const isThree = system === undefined ? axes.length === 3 : system[1] === 3 && axes.length === 3;
  if (!isThree || !/^(?:up)$/i.test(String(axes[2]!.values[1]))) return undefined;
  const metresPerUnit = unitOf(axes[2]!);
  const name = String(node.values[0] ?? 'unnamed').slice(0, 100);
  return ellipsoidOf(name, { ...(metresPerUnit && { metresPerUnit }), isOther: isOther(node) });
}

/** The semi-major axis of GRS 80 and WGS 84, in metres. */
const wgs84Axis = 6_378_137;

function isOther(node: WktNode): boolean {
  const axis = findNode(node, ['SPHEROID', 'ELLIPSOID'])?.values[1];
  return typeof axis === 'number' && Math.abs(axis - wgs84Axis) > 1;
}
