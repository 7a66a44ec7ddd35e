// Writes rivers.geojson from extracts of OpenStreetMap, one feature a line: node examples/data/make-rivers.ts <extract…>
import { readFileSync, writeFileSync } from 'node:fs';

interface Way {
  readonly geometry: { readonly type: string; readonly coordinates: readonly (readonly number[])[] };
  readonly properties: Readonly<Record<string, string>>;
}

const kinds = new Set(['river', 'stream', 'canal']);

const ways = process.argv
  .slice(2)
  .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  .filter((line) => line.includes('"waterway"'))
  .map((line) => JSON.parse(line) as Way)
  .filter(
    ({ geometry, properties }) => geometry.type === 'LineString' && kinds.has(properties['waterway'] ?? ''),
  );
if (ways.length === 0) throw new Error('Name extracts of OpenStreetMap as newline-delimited GeoJSON');

const features = ways.map(({ geometry, properties }, index) => ({
  type: 'Feature',
  id: index + 1,
  properties: { name: properties['name'] ?? null, kind: properties['waterway'] },
  geometry: {
    type: 'LineString',
    coordinates: geometry.coordinates.map((position) => position.map((value) => Number(value.toFixed(5)))),
  },
}));
const lines = features.map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(
  new URL('rivers.geojson', import.meta.url),
  `{"type":"FeatureCollection","features":[\n${lines}\n]}\n`,
);
