// Writes countries.geojson from Natural Earth's 1:50 million countries: node examples/data/make-countries.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { LonLat } from '@platen/viewer/basemap/unwrap-ring';
import { cutAtAntimeridian } from './cut-at-antimeridian.ts';

type World = Topology<{ countries: GeometryCollection<{ name: string }> }>;

const source = import.meta.resolve('world-atlas/countries-50m.json');
const topology = JSON.parse(readFileSync(new URL(source), 'utf8')) as World;

/** Area on the sphere in square kilometres (Chamberlain and Duquette 2007, eq. 3), holes taken off. */
function areaSquareKilometres(polygons: readonly number[][][][]): number {
  const radiusKilometres = 6371.0072;
  const radians = Math.PI / 180;
  let steradians = 0;
  for (const [index, ring] of polygons.flatMap((polygon) => polygon.map((ring, at) => [at, ring] as const))) {
    let sum = 0;
    for (let at = 1; at < ring.length; at++) {
      const [x1 = 0, y1 = 0] = ring[at - 1] ?? [];
      const [x2 = 0, y2 = 0] = ring[at] ?? [];
      sum += (x2 - x1) * radians * (2 + Math.sin(y1 * radians) + Math.sin(y2 * radians));
    }
    steradians += ((index === 0 ? 1 : -1) * Math.abs(sum)) / 2;
  }
  return Math.round(steradians * radiusKilometres ** 2);
}

const features = feature(topology, topology.objects.countries)
  .features.map(({ id, properties, geometry }, index) => {
    const polygons =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : [];
    const parts = polygons.flatMap((polygon) => cutAtAntimeridian(polygon as unknown as LonLat[][]));
    return {
      type: 'Feature',
      id: index + 1,
      properties: {
        name: properties.name,
        isoNumeric: id === undefined ? null : String(id),
        areaKm2: areaSquareKilometres(parts),
        tint: index % 5,
      },
      geometry:
        parts.length === 1
          ? { type: 'Polygon', coordinates: parts[0] }
          : { type: 'MultiPolygon', coordinates: parts },
    };
  })
  .filter(({ geometry }) => geometry.coordinates !== undefined && geometry.coordinates.length > 0);

const lines = features.map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(
  new URL('countries.geojson', import.meta.url),
  `{"type":"FeatureCollection","features":[\n${lines}\n]}\n`,
);
