import { readFileSync } from 'node:fs';
import { germanNames, englishNames } from '../places/shown-names.ts';
import type { NameLanguage } from '../world-names-layers.ts';
import type { Point } from './clip-to-box.ts';
import { capitalRank, countryLabels, placeLabels } from './labels.ts';
import { toMercator } from './world-outlines.ts';

/** A name on the world map, at a point of the mercator square. */
export interface WorldName {
  readonly at: Point;
  readonly kind: 'country' | 'capital' | 'town';
  /** It has no place on maps of smaller scales even where there would be room. */
  readonly minZoom: number;
  /** Names of countries end where towns need the room. */
  readonly maxZoom: number;
  readonly names: Readonly<Record<NameLanguage, string>>;
}

/** From which zoom level on the largest towns can be on the map, between names of countries, and how many these are. */
const [largestZoom, largestTowns] = [3, 60];
const capitalZoom = 5;
const lastCountryZoom = 4;
/** By the number of digits of the population less one; smaller towns are not on the map. */
const townZooms: Readonly<Record<number, number>> = { 6: 5, 5: 5, 4: 7 };
/** In units of the mercator square, for positions that are rounded. */
const sameTown = 0.02 / 360;

/** Countries, capitals and other towns; the most important first. */
export function worldNames(): WorldName[] {
  const countries = countryLabels()
    .toSorted((one, other) => Number(other.attributes['rank']) - Number(one.attributes['rank']))
    .map(({ at, minZoom, attributes }): WorldName => {
      const { en, de } = attributes as Readonly<Record<NameLanguage, string>>;
      return { at, kind: 'country', minZoom, maxZoom: lastCountryZoom, names: { en, de } };
    });
  return [...countries, ...readTowns()];
}

function readTowns(): WorldName[] {
  const capitals = new Set(placeLabels().filter(({ attributes }) => attributes['rank'] === capitalRank));
  const file = new URL('../places/places.json', import.meta.url);
  const { places } = JSON.parse(readFileSync(file, 'utf8')) as { places: string };
  const towns = places.split('\n').flatMap((line, index): (WorldName & { importance: number })[] => {
    const [name, , country, longitude, latitude, size] = line.split('\t') as string[];
    const at = toMercator([Number(longitude), Number(latitude)]);
    const capital = [...capitals].find(({ at: [x, y] }) => Math.hypot(x - at[0], y - at[1]) < sameTown);
    // the largest town at a capital's place is it
    if (capital) capitals.delete(capital);
    const usualZoom = capital ? capitalZoom : townZooms[Number(size)];
    const minZoom = index < largestTowns ? largestZoom : usualZoom;
    if (minZoom === undefined) return [];
    const key = `${country} ${name}`;
    const names = { en: englishNames[key] ?? name!, de: germanNames[key] ?? name! };
    const kind = capital ? 'capital' : 'town';
    // a capital is as important as a town with ten times the people
    const importance = Number(size) + (capital ? 1 : 0);
    return [{ at, kind, minZoom, maxZoom: Infinity, names, importance }];
  });
  // those of the same importance stay in the order of their population
  return towns.toSorted((one, other) => other.importance - one.importance);
}
