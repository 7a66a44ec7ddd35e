import { readFileSync } from 'node:fs';

/** A capital: longitude and latitude in degrees, and the English name of its country. */
export interface Capital {
  readonly longitude: number;
  readonly latitude: number;
  readonly country: string;
}

/** A label at this scale, in kilometres: what is nearer would overlap it. */
const label = { width: 1100, height: 380 };
const kilometresPerDegree = 111;

const areas = readAreas();

/**
 * Rank 0 for capitals whose names fit on one map of the world, those of larger countries first; rank 1 for all others.
 */
export function rankCapitals<T extends Capital>(capitals: readonly T[]): Map<T, 0 | 1> {
  const kept: T[] = [];
  for (const capital of capitals.toSorted((one, other) => areaOf(other) - areaOf(one)))
    if (!kept.some((one) => isNear(one, capital))) kept.push(capital);
  return new Map(capitals.map((capital) => [capital, kept.includes(capital) ? 0 : 1]));
}

function isNear(one: Capital, other: Capital): boolean {
  const degrees = Math.abs(one.longitude - other.longitude);
  const width = Math.min(degrees, 360 - degrees) * Math.cos((one.latitude * Math.PI) / 180);
  const height = Math.abs(one.latitude - other.latitude);
  return width * kilometresPerDegree < label.width && height * kilometresPerDegree < label.height;
}

/** Square kilometres; the two sources name a few countries differently. */
function areaOf({ country }: Capital): number {
  const [, area] = areas.find(([name]) => name.startsWith(country) || country.startsWith(name)) ?? [];
  return area ?? 0;
}

function readAreas(): [name: string, squareKilometres: number][] {
  const text = readFileSync(new URL('countries.geojson', import.meta.url), 'utf8');
  const { features } = JSON.parse(text) as {
    features: { properties: { name: string; areaKm2: number } }[];
  };
  return features.map(({ properties: { name, areaKm2 } }) => [name, areaKm2]);
}
