// Runs in the browser, as a part of start.ts: finds towns by their names.
import { foldText } from './fold-text.ts';

/** A town. */
export interface Place {
  readonly name: string;
  /** ISO 3166. */
  readonly country: string;
  readonly longitude: number;
  readonly latitude: number;
  /** Number of digits of the population less one, 3 to 6. */
  readonly size: number;
}

interface Entry {
  readonly line: string;
  /** Folded names with spaces around and between them. */
  readonly names: string;
}

/** Towns by their folded names, the largest first. */
export type Places = readonly Entry[];

/** Reads `places` of places/places.json. */
export function readPlaces(lines: string): Places {
  return lines.split('\n').map((line) => {
    const [name = '', others = ''] = line.split('\t');
    const all = others === '' ? [name] : [name, ...others.split('|')];
    return { line, names: ` |${all.map(foldText).join(' |')} ` };
  });
}

/** In German, names may also be typed without dots: Muenchen. */
const withoutDots = (text: string) => text.replaceAll(/([aou])e/g, '$1');

/**
 * Up to `max` towns whose name begins with the text, then those with a word that does, each from large to small. What
 * follows a comma has to be the beginning of the country's name or code.
 * @param nameOf the name of a country in the language of the user, by its code
 */
export function findPlaces(
  places: Places,
  text: string,
  { max, nameOf }: { max: number; nameOf: (country: string) => string },
): Place[] {
  const comma = text.indexOf(',');
  const town = foldText(comma === -1 ? text : text.slice(0, comma));
  const country = comma === -1 ? '' : foldText(text.slice(comma + 1));
  if (town.length < 2) return [];
  const wanted = [...new Set([town, withoutDots(town)])];
  const isIn = (place: Place) =>
    country === '' ||
    foldText(nameOf(place.country)).startsWith(country) ||
    place.country.toLowerCase() === country;
  const whole: Place[] = [];
  const begun: Place[] = [];
  const within: Place[] = [];
  for (const { line, names } of places) {
    if (!wanted.some((one) => names.includes(one))) continue;
    const list = wanted.some((one) => names.includes(` |${one} `))
      ? whole
      : wanted.some((one) => names.includes(` |${one}`))
        ? begun
        : wanted.some((one) => names.includes(` ${one}`))
          ? within
          : undefined;
    if (list === undefined || list.length >= max) continue;
    const place = placeOf(line, wanted);
    if (isIn(place)) list.push(place);
  }
  // a small town of this very name comes after large ones that only begin with it
  const [first, ...others] = whole;
  const rest = [...others, ...begun].toSorted((one, other) => other.size - one.size);
  return [...(first ? [first] : []), ...rest, ...within].slice(0, max);
}

/** By the name that was typed, of the several that it may have. */
function placeOf(line: string, wanted: readonly string[]): Place {
  const [first = '', others = '', country = '', longitude, latitude, size] = line.split('\t');
  const names = [first, ...others.split('|')];
  const name = names.find((one) => wanted.some((text) => foldText(one).startsWith(text))) ?? first;
  return { name, country, longitude: Number(longitude), latitude: Number(latitude), size: Number(size) };
}
