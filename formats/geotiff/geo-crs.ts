import { listedDefinition, readEpsgEntry } from '../crs/epsg-entry.ts';
import type { VerticalCrs } from '../crs/vertical-crs.ts';
import { geoKey, userDefined, type GeoKeys } from './geo-keys.ts';
import { verticalOfKeys } from './vertical-keys.ts';

/** The CRS that the keys describe. */
export interface KeyedCrs {
  /** Text for findCrs; undefined if the keys do not name a CRS that can be computed. */
  readonly text: string | undefined;
  /** The name in the file. */
  readonly citation: string | undefined;
  /** Its parameters stand in the file: it has no code. */
  readonly isUserDefined: boolean;
  /** What the heights count from, where the keys say so. */
  readonly vertical: VerticalCrs | undefined;
}

const projected = 1;
const geographic = 2;
const geocentric = 3;
/** Stands for every geocentric CRS, whatever its datum: no map can show one. */
const wgs84Geocentric = 4978;

export function crsOfKeys(keys: GeoKeys): KeyedCrs {
  const citation =
    keys.text(geoKey.projectedCitation) ?? keys.text(geoKey.citation) ?? keys.text(geoKey.geographicCitation);
  const code = codeOf(keys);
  const text = code === undefined ? definitionOf(keys) : `EPSG:${code}`;
  return {
    text,
    citation: citation?.slice(0, 200),
    isUserDefined: code === undefined,
    vertical: verticalOfKeys(keys),
  };
}

function codeOf(keys: GeoKeys): number | undefined {
  const model = keys.number(geoKey.modelType);
  const [first, second] = [keys.number(geoKey.projectedCrs), keys.number(geoKey.geographicCrs)];
  if (model === geocentric) return wgs84Geocentric;
  // if the model is missing or wrong, the code that is present counts
  if (first !== undefined && model !== geographic) return isCode(first) ? first : undefined;
  return isCode(second) && model !== projected ? second : undefined;
}

function isCode(value: number | undefined): value is number {
  return value !== undefined && value >= 1024 && value < userDefined;
}

/** WKT that ESRI puts into a citation, a PROJ string by the parameters, or a name. */
function definitionOf(keys: GeoKeys): string | undefined {
  const texts = [geoKey.projectedCitation, geoKey.citation, geoKey.geographicCitation].flatMap(
    (key) => keys.text(key) ?? [],
  );
  for (const text of texts) {
    const wkt = /^ESRI PE String\s*=\s*(.+)$/is.exec(text)?.[1];
    if (wkt !== undefined) return wkt;
  }
  return projOf(keys) ?? texts.map(nameIn).find((name) => name !== undefined);
}

/** `PCS Name = NAD_1983_UTM_Zone_17N|…` of ESRI and ERDAS, or a plain name. */
function nameIn(citation: string): string | undefined {
  const name = /PCS Name\s*=\s*([^|\n]+)/i.exec(citation)?.[1] ?? citation;
  return /^[\w\s./+()-]{4,100}$/.test(name) ? name.trim() : undefined;
}

const metresPerUnit: Readonly<Record<number, number>> = { 9001: 1, 9002: 0.3048, 9003: 1200 / 3937 };

/** The keys of the parameters of projections. */
const parameter = {
  firstParallel: 3078,
  secondParallel: 3079,
  originLongitude: 3080,
  originLatitude: 3081,
  falseEasting: 3082,
  falseNorthing: 3083,
  falseOriginLongitude: 3084,
  falseOriginLatitude: 3085,
  falseOriginEasting: 3086,
  falseOriginNorthing: 3087,
  centreLongitude: 3088,
  centreLatitude: 3089,
  originScale: 3092,
  centreScale: 3093,
  poleLongitude: 3095,
} as const;

/** GeoTIFF 1.0, 6.3.3.3: the methods that proj4 computes. */
const methods: Readonly<Record<number, string>> = {
  1: '+proj=tmerc',
  7: '+proj=merc',
  8: '+proj=lcc',
  9: '+proj=lcc',
  10: '+proj=laea',
  11: '+proj=aea',
  12: '+proj=aeqd',
  13: '+proj=eqdc',
  14: '+proj=stere',
  15: '+proj=stere',
  16: '+proj=sterea',
  17: '+proj=eqc',
  18: '+proj=cass',
};
const polarStereographic = 15;

function projOf(keys: GeoKeys): string | undefined {
  const datum = datumOf(keys);
  if (datum === undefined) return undefined;
  const model = keys.number(geoKey.modelType);
  if (model === geographic) return `+proj=longlat ${datum}`;
  const utm = keys.number(geoKey.projection) ?? 0;
  if ((utm > 16_000 && utm <= 16_060) || (utm > 16_100 && utm <= 16_160))
    return `+proj=utm +zone=${utm % 100}${utm > 16_100 ? ' +south' : ''} ${datum}`;
  const code = keys.number(geoKey.method) ?? 0;
  const method = methods[code];
  const unit = keys.number(geoKey.linearUnitSize) ?? metresPerUnit[keys.number(geoKey.linearUnits) ?? 9001];
  if (method === undefined || unit === undefined || !(unit > 0)) return undefined;
  const first = (...names: (keyof typeof parameter)[]) =>
    names.map((name) => keys.number(parameter[name])).find((value) => value !== undefined);
  const latitude = first('originLatitude', 'falseOriginLatitude', 'centreLatitude') ?? 0;
  const pole = code === polarStereographic ? { lat_0: Math.sign(latitude) * 90, lat_ts: latitude } : {};
  const values = {
    lat_0: latitude,
    lon_0: first('originLongitude', 'falseOriginLongitude', 'centreLongitude', 'poleLongitude') ?? 0,
    lat_1: first('firstParallel') ?? (code === 9 ? latitude : undefined),
    lat_2: first('secondParallel'),
    k_0: first('originScale', 'centreScale'),
    x_0: (first('falseEasting', 'falseOriginEasting') ?? 0) * unit,
    y_0: (first('falseNorthing', 'falseOriginNorthing') ?? 0) * unit,
    to_meter: unit,
    ...pole,
  };
  const words = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`+${name}=${value}`],
  );
  return `${method} ${words.join(' ')} ${datum}`;
}

function datumOf(keys: GeoKeys): string | undefined {
  const code = keys.number(geoKey.geographicCrs);
  if (isCode(code)) {
    const listed = listedDefinition(String(code)) ?? readEpsgEntry(String(code))?.proj4 ?? undefined;
    return listed?.replaceAll(/\+(?:proj=\S+|no_defs|type=crs)\s*/g, '').trim();
  }
  const shift = toWgs84Of(keys);
  const ellipsoid = ellipsoids[keys.number(geoKey.ellipsoid) ?? 0];
  if (ellipsoid !== undefined) return `+ellps=${ellipsoid}${shift}`;
  const a = keys.number(geoKey.semiMajorAxis);
  const b = keys.number(geoKey.semiMinorAxis);
  const rf = keys.number(geoKey.inverseFlattening);
  if (a === undefined || !(a > 6e6 && a < 7e6)) return undefined;
  if (rf !== undefined && rf > 0) return `+a=${a} +rf=${rf}${shift}`;
  return `+a=${a} +b=${b !== undefined && b > 6e6 ? b : a}${shift}`;
}

/** By their codes in EPSG, as PROJ names them. */
const ellipsoids: Readonly<Record<number, string>> = {
  7001: 'airy',
  7003: 'aust_SA',
  7004: 'bessel',
  7008: 'clrk66',
  7019: 'GRS80',
  7022: 'intl',
  7024: 'krass',
  7030: 'WGS84',
  7043: 'WGS72',
};

/** Three or seven parameters of the datum, which stand in the file. */
function toWgs84Of(keys: GeoKeys): string {
  const parameters = keys.list(geoKey.toWgs84);
  return parameters.length === 3 || parameters.length === 7 ? ` +towgs84=${parameters.join(',')}` : '';
}
