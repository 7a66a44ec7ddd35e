/** The CRS that a text names, which may not exist. */
export type NamedCrs =
  | { readonly kind: 'code'; readonly code: string; readonly isCompound: boolean; readonly isLonLat: boolean }
  | { readonly kind: 'wkt'; readonly text: string }
  | { readonly kind: 'proj'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string };

/** Codes of ESRI and of web map makers for EPSG:3857, some from before EPSG accepted it. */
const webMercatorCodes = new Set(['102100', '102113', '900913', '3785']);

export function currentCode(code: string): string {
  return webMercatorCodes.has(code) ? '3857' : code;
}

export function parseCrsText(text: string): NamedCrs {
  const trimmed = text.trim().replace(/^\uFEFF/, '');
  if (/^[A-Za-z_0-9]+\s*[[(]/.test(trimmed)) return { kind: 'wkt', text: trimmed };
  const init = /^\+?init=epsg:(\d+)/i.exec(trimmed)?.[1];
  if (init !== undefined) return codeOf(init);
  if (trimmed.includes('+proj=')) return { kind: 'proj', text: trimmed };
  const [horizontal, ...rest] = compoundParts(trimmed);
  const code = codeIn(horizontal!);
  if (code === undefined) return { kind: 'name', text: trimmed };
  return { ...code, isCompound: rest.length > 0 };
}

function codeOf(code: string, isLonLat = false): NamedCrs & { kind: 'code' } {
  return { kind: 'code', code: currentCode(code), isCompound: false, isLonLat };
}

/**
 * `urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783` (OGC 07-092), `…/def/crs-compound?1=…&2=…`, GDAL's `EPSG:25832+5783`,
 * and `urn:adv:crs:ETRS89_UTM32*DE_DHHN92_NH` of the German surveys.
 */
function compoundParts(text: string): string[] {
  const urn = /^urn:(?:x-)?ogc:def:crs,(.+)$/i.exec(text)?.[1];
  if (urn !== undefined) return urn.split(',').map((part) => `urn:ogc:def:${part.trim()}`);
  const query = /crs-compound\?([^]+)$/i.exec(text)?.[1];
  if (query !== undefined) return query.split('&').map((part) => part.replace(/^\d+=/, ''));
  if (/^(?:EPSG|ESRI):\d+\+/i.test(text)) return text.split('+');
  return text.split('*');
}

/** `ETRS89 / UTM zone 32N + DHHN2016 height`: the names of the horizontal and of the vertical CRS. */
export function compoundName(text: string): [horizontal: string, vertical?: string] {
  const at = text.lastIndexOf(' + ');
  return at < 0 ? [text] : [text.slice(0, at).trim(), text.slice(at + 3).trim()];
}

function codeIn(text: string): (NamedCrs & { kind: 'code' }) | undefined {
  const ogc = /(?:^|[:/#])CRS:?(84|83|27)h?$/i.exec(text)?.[1];
  if (ogc !== undefined) return codeOf({ 84: '4326', 83: '4269', 27: '4267' }[ogc]!, true);
  const short = /^(?:(?:EPSG|ESRI)::?)?(\d{1,6})$/i.exec(text)?.[1];
  const urn = /^urn:(?:x-)?ogc:def:crs:(?:EPSG|ESRI):[^:]*:(\d{1,6})$/i.exec(text)?.[1];
  const link =
    /^https?:\/\/[^/]*opengis\.net\/(?:def\/crs\/(?:EPSG|ESRI)\/[^/]+\/|gml\/srs\/epsg\.xml#)(\d{1,6})$/i.exec(
      text,
    )?.[1];
  const code = short ?? urn ?? link ?? germanSurveysCode(text);
  return code === undefined ? undefined : codeOf(code);
}

/** The names that ALKIS and NAS files use: GeoInfoDok, annex on CRSs. */
function germanSurveysCode(text: string): string | undefined {
  const name = /^urn:adv:crs:(.+)$/i.exec(text)?.[1];
  if (name === undefined) return undefined;
  const utm = /^ETRS89_UTM(3[123])$/i.exec(name)?.[1];
  if (utm !== undefined) return `258${utm}`;
  const gauss = /^DE_DHDN_3GK([2-5])(?:_.*)?$/i.exec(name)?.[1];
  if (gauss !== undefined) return String(31464 + Number(gauss));
  return /^ETRS89_Lat-Lon$/i.test(name) ? '4258' : undefined;
}
