import type { CrsNote } from './crs.ts';
import { correctedShift, shiftBearer } from './corrected-shift.ts';
import { listedDefinition, readEpsgEntry } from './epsg-entry.ts';
import type { EpsgEntry } from './register.ts';
import type { Definition } from './open-transform.ts';
import { authorityOf, findNode, geographicKeywords, parseWkt } from './wkt-tree.ts';

export interface ChosenDefinition extends Definition {
  readonly notes: readonly CrsNote[];
}

/**
 * The definition of a code. The parameters of the projection are those of epsg-index, which is newer. Its datum shifts
 * are not used if there are others: it names grids that are not available, and where EPSG gives the rotations of a
 * coordinate frame, or in microradians (RD New, RT 90), it has them with the wrong sign or unit. So the shift is ours
 * where both packages are wrong, else proj4-list's for the code, else for its geographic CRS, else epsg-index's.
 * Undefined where neither has a definition.
 */
export function chooseDefinition(code: string, entry: EpsgEntry | undefined): ChosenDefinition | undefined {
  const listed = listedDefinition(code);
  const own = entry?.proj4 || undefined;
  const text = own ?? listed;
  if (text === undefined || !text.includes('+proj=') || isUnfaithful(text)) return undefined;
  const parameters = parseProj(text);
  const base = entry === undefined ? undefined : geographicCode(entry);
  const shift = correctedShift(base ?? code, entry) ?? shiftOf({ code, base, listed, own });
  if (shift !== undefined) applyShift(parameters, shift);
  const needsGrid = own !== undefined && /\+nadgrids=(?!@null)/.test(own);
  if (needsGrid && shift === undefined) parameters.delete('nadgrids');
  const axis = missingAxes.get(code);
  if (axis !== undefined) parameters.set('axis', axis);
  return {
    text: formatProj(parameters),
    ...(entry !== undefined && isInGrads(entry) && { degreesPerUnit: 0.9 }),
    notes: needsGrid && shift !== undefined ? [missingGrid(own)] : [],
  };
}

/** EPSG names the unit. ESRI's entries do not, but their names do. */
function isInGrads({ unit, name, kind }: EpsgEntry): boolean {
  return unit === 'grad' || (kind === 'CRS-GEOGCRS' && name.endsWith('(grads)'));
}

/** proj4 has the gnomonic projection for the sphere only: on an ellipsoid it is kilometres off. */
function isUnfaithful(text: string): boolean {
  return text.includes('+proj=gnom') && !text.includes('+R=');
}

/** Southings and westings that neither package knows: the Ferro grids of Gusterberg and St. Stephen. */
const missingAxes: ReadonlyMap<string, string> = new Map([
  ['8044', 'swu'],
  ['8045', 'swu'],
]);

function missingGrid(definition: string): CrsNote {
  const grid = /\+nadgrids=@?"?([^\s",]+)/.exec(definition)?.[1];
  return {
    code: 'missingGrid',
    message: `the exact datum shift needs the grid ${grid}, which is not part of Platen: positions may be off by some metres`,
  };
}

export type ProjParameters = Map<string, string | true>;

export function parseProj(text: string): ProjParameters {
  const parameters: ProjParameters = new Map();
  for (const [, key, value] of text.matchAll(/\+([a-z]\w*)(?:=("[^"]*"|[^\s+]\S*))?/gi)) {
    parameters.set(key!.toLowerCase() === 'r' ? 'R' : key!, value ?? true);
  }
  return parameters;
}

export function formatProj(parameters: ProjParameters): string {
  return [...parameters].map(([key, value]) => (value === true ? `+${key}` : `+${key}=${value}`)).join(' ');
}

interface Candidates {
  readonly code: string;
  readonly base: string | undefined;
  readonly listed: string | undefined;
  readonly own: string | undefined;
}

/** `datum=potsdam` or `towgs84=598.1,…`. */
function shiftOf({ code, base, listed, own }: Candidates): string | undefined {
  const baseListed = base === undefined || base === code ? undefined : listedDefinition(base);
  const candidates = [listed, baseListed, own];
  const known = candidates.map(shiftIn).find((shift) => shift !== undefined);
  if (known !== undefined || base === undefined || base === code) return known;
  return shiftIn(readEpsgEntry(base)?.proj4 ?? undefined);
}

function shiftIn(definition: string | undefined): string | undefined {
  return /\+(towgs84=[^\s]+|datum=(?!NAD27)\w+)/.exec(definition ?? '')?.[1];
}

const ellipsoidParameters = ['ellps', 'a', 'b', 'rf', 'f'];

function applyShift(parameters: ProjParameters, shift: string): void {
  const [key, value] = shift.split('=') as [string, string];
  // the null grid of Web Mercator means that there is no shift
  if (parameters.get('nadgrids') === '@null') return;
  for (const old of ['towgs84', 'datum', 'nadgrids']) {
    // the ellipsoid goes with its datum
    if (old === 'datum' && key === 'towgs84' && parameters.has(old))
      parameters.set('ellps', datumEllipsoid(parameters.get(old)));
    parameters.delete(old);
  }
  if (key === 'datum') for (const name of ellipsoidParameters) parameters.delete(name);
  parameters.set(key, value);
}

function datumEllipsoid(datum: string | true | undefined): string {
  return datum === 'NAD83' ? 'GRS80' : datum === 'NAD27' ? 'clrk66' : 'WGS84';
}

/**
 * Projected CRSs without WKT in epsg-index: the Austrian grids that count from Ferro, and Luxembourg's with heights.
 */
const basesWithoutWkt: readonly (readonly [RegExp, string])[] = [
  [/^312(?:5[1-3]|8[1-389]|90)$/, '4805'],
  [/^9895$/, '4181'],
];

/** The code of the geographic CRS below an entry, which identifies its datum. */
function geographicCode({ wkt, kind, code }: EpsgEntry): string | undefined {
  if (kind === 'CRS-GEOGCRS' || kind === 'CRS-GEOG3DCRS') return shiftBearer(code);
  if (!wkt) return basesWithoutWkt.find(([codes]) => codes.test(code))?.[1];
  const node = findNode(parseWkt(wkt), geographicKeywords);
  const [authority, base] = (node && authorityOf(node)) ?? [];
  return authority === 'EPSG' || authority === 'ESRI' ? base : undefined;
}
