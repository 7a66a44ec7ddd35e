import { readFileSync } from 'node:fs';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Point } from './clip-to-box.ts';
import { unwrapLine, type LonLat } from './unwrap-ring.ts';
import { asLine, toMercator } from './world-outlines.ts';

/** A name at a point of the mercator square. */
export interface Label {
  readonly at: Point;
  readonly minZoom: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Minimum area in square degrees of a labelled country at each zoom. */
const countryZooms = [400, 150, 60, 12, 1];

/** Country names in English and German, each in the middle of the country's largest part. */
export function countryLabels(): Label[] {
  const file = import.meta.resolve('world-atlas/countries-110m.json');
  const topology = JSON.parse(readFileSync(new URL(file), 'utf8')) as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  return feature(topology, topology.objects.countries).features.flatMap(({ id, geometry, properties }) => {
    const polygons =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : [];
    const largest = polygons
      .map(([ring]) => middleOf(unwrapLine(asLine(ring!))))
      .toSorted((one, other) => other.area - one.area)[0];
    if (!largest || largest.area < 0.3) return [];
    const found = countryZooms.findIndex((area) => largest.area > area);
    return [
      {
        at: toMercator(largest.at),
        minZoom: found === -1 ? countryZooms.length : found,
        attributes: { ...namesOf(id, properties.name), rank: Math.round(largest.area * 10) },
      },
    ];
  });
}

/** Numeric ISO 3166 codes are aliases of alphabetic ones. */
function namesOf(id: string | number | undefined, name: string): { en: string; de: string } {
  const region = id === undefined ? undefined : new Intl.Locale(`und-${id}`).region;
  if (region === undefined || /^\d/.test(region)) return { en: name, de: name };
  const inLanguage = (language: string) =>
    new Intl.DisplayNames([language], { type: 'region' }).of(region) ?? name;
  return { en: inLanguage('en'), de: inLanguage('de') };
}

function middleOf(ring: readonly LonLat[]): { at: [number, number]; area: number } {
  let area = 0;
  let x = 0;
  let y = 0;
  for (const [index, [x1, y1]] of ring.slice(0, -1).entries()) {
    const [x2, y2] = ring[index + 1]!;
    const cross = x1 * y2 - x2 * y1;
    area += cross / 2;
    x += (x1 + x2) * cross;
    y += (y1 + y2) * cross;
  }
  return { at: [x / (6 * area), y / (6 * area)], area: Math.abs(area) };
}

interface Place {
  readonly properties: { readonly name: string; readonly capital?: boolean; readonly placesNearby?: number };
  readonly geometry: { readonly coordinates: [number, number] };
}

export const capitalRank = 10_000;

/** Towns of the example data: capitals first, then those with many others around. */
export function placeLabels(): Label[] {
  const file = new URL('../../examples/data/places.geojsonl', import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { properties, geometry } = JSON.parse(line) as Place;
      const around = properties.placesNearby ?? 0;
      const isCapital = properties.capital === true;
      return {
        at: toMercator(geometry.coordinates),
        minZoom: isCapital ? 3 : around > 40 ? 4 : 5,
        attributes: { name: properties.name, rank: isCapital ? capitalRank : around },
      };
    });
}
