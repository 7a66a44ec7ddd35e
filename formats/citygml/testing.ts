import type { CityObject } from '../city-object/city-object.ts';
import type { ByteRange } from '../xml/read-utf8.ts';
import { readCityGml, readWaiting, type CityGmlOptions, type WaitingObjects } from './read-city-gml.ts';

interface Read {
  readonly objects: CityObject[];
  readonly notices: string[];
  readonly crs: (string | undefined)[];
}

/** Reads a model from small chunks, so that every text is cut somewhere. */
export const read = (text: string, more: Partial<CityGmlOptions> = {}): Promise<Read> =>
  collect(text, (options) => readCityGml({ ...options, ...more }));

/** Reads objects that waited. */
export const readWaitingOf = (text: string, objects: WaitingObjects): Promise<Read> =>
  collect(text, (options) => readWaiting(options, objects));

async function collect(text: string, run: (options: CityGmlOptions) => Promise<void>): Promise<Read> {
  const objects: CityObject[] = [];
  const notices: string[] = [];
  const crs: (string | undefined)[] = [];
  await run({
    chunks: (range) => chunksOf(text, range),
    maxBytes: 1 << 20,
    hasAppearances: true,
    theme: undefined,
    translate: undefined,
    onCrs(name) {
      crs.push(name);
      return false;
    },
    onObject: (object) => objects.push(object),
    onNotice: (notice, id, detail) => notices.push(`${notice} ${id} ${detail}`.trim()),
    onRead: () => {},
    part: undefined,
  });
  return { objects, notices, crs };
}

export async function* chunksOf(
  text: string,
  { start, end }: ByteRange = { start: 0, end: undefined },
): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text).subarray(start, end);
  for (let at = 0; at < bytes.length; at += 97) yield bytes.subarray(at, at + 97);
}

const namespaces = {
  '1.0': 'http://www.opengis.net/citygml/1.0',
  '2.0': 'http://www.opengis.net/citygml/2.0',
} as const;

export function model(content: string, version: keyof typeof namespaces = '2.0'): string {
  const of = (module: string): string => `http://www.opengis.net/citygml/${module}/${version}`;
  return `<core:CityModel xmlns:core="${namespaces[version]}" xmlns:gml="http://www.opengis.net/gml" xmlns:bldg="${of('building')}" xmlns:gen="${of('generics')}" xmlns:veg="${of('vegetation')}" xmlns:dem="${of('relief')}" xmlns:xAL="urn:oasis:names:tc:ciq:xsdschema:xAL:2.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:uro="https://example.org/ade"><gml:boundedBy><gml:Envelope srsName="EPSG:25832"><gml:lowerCorner>0 0 0</gml:lowerCorner></gml:Envelope></gml:boundedBy>${content}</core:CityModel>`;
}

export const member = (content: string): string =>
  `<core:cityObjectMember>${content}</core:cityObjectMember>`;
export const square = (id: string, z = 0): string =>
  `<gml:Polygon gml:id="${id}"><gml:exterior><gml:LinearRing><gml:posList>0 0 ${z} 1 0 ${z} 1 1 ${z} 0 1 ${z} 0 0 ${z}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`;
export const surface = (id: string, z?: number): string =>
  `<gml:MultiSurface><gml:surfaceMember>${square(id, z)}</gml:surfaceMember></gml:MultiSurface>`;
