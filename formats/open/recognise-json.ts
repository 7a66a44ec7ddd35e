import { data, notRecognised, unsupported, type Recognised } from './recognised.ts';

const geoJsonTypes = new Set([
  'FeatureCollection',
  'Feature',
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]);
const city = 'use a job for 3D buildings';

/** @param text from its first bracket on; cut off */
export function recogniseJson(text: string): Recognised {
  if (text.startsWith('[')) {
    return notRecognised(
      'a JSON array',
      'GeoJSON begins with an object; make it a FeatureCollection, or write one feature per line',
    );
  }
  const { members, cutOff } = topLevelMembers(text);
  const type = members.get('type');
  if (type === 'Topology') return data('topojson');
  if (type !== undefined && geoJsonTypes.has(type)) return data('geojson');
  if (type === 'CityJSON' || type === 'CityJSONFeature' || members.has('CityObjects')) {
    return unsupported('a CityJSON city model', city);
  }
  if (members.has('objects') && members.has('arcs')) return data('topojson');
  if (members.has('geometryType') || members.has('spatialReference')) {
    return unsupported('JSON from an ArcGIS service', 'request it again with f=geojson');
  }
  if (members.has('elements') && (members.has('osm3s') || members.has('generator'))) {
    return unsupported(
      'a response of the Overpass API',
      'convert it to GeoJSON, for example with osmtogeojson',
    );
  }
  if (members.has('asset') && (members.has('root') || members.has('scenes'))) {
    return unsupported('a 3D tileset or a glTF model', 'use a job for 3D objects');
  }
  if (members.has('layers') && members.has('sources')) {
    return notRecognised('a map style', 'upload the data itself');
  }
  // The type may stand behind all the rest.
  const geo = ['features', 'geometry', 'coordinates', 'geometries'].some((name) => members.has(name));
  if (type === undefined && (geo || cutOff)) return data('geojson');
  const saying =
    type === undefined ? 'it has no "type"' : `its "type" is ${JSON.stringify(type.slice(0, 50))}`;
  return notRecognised(
    'JSON, but not GeoJSON',
    `${saying}, but "FeatureCollection" or "Feature" is expected`,
  );
}

/** A text may be cut off: it is one all the same, so that no place is looked at twice. */
const token = /"((?:[^"\\]|\\.)*)"?|[{}[\]:,]|[^\s{}[\]:,"]+/gs;

/** The members of the first object as far as the head reaches: strings as they are, other values as ''. */
function topLevelMembers(text: string): { members: Map<string, string>; cutOff: boolean } {
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let inValue = false;
  for (const [whole, string] of text.matchAll(token)) {
    if (whole === '}' || whole === ']') depth--;
    if (depth === 1) {
      if (whole === ':') inValue = true;
      else if (whole === ',') inValue = false;
      else if (!inValue) name = string;
      else if (name !== undefined && !members.has(name)) members.set(name, string ?? '');
    }
    if (whole === '{' || whole === '[') depth++;
    if (depth === 0) return { members, cutOff: false };
  }
  return { members, cutOff: true };
}
