import { isWithin, middleOf } from './area.ts';
import type { Area } from './crs.ts';
import { findCrs } from './find-crs.ts';
import { utmZoneAt } from './utm-zone-at.ts';

/** The kind of coordinates found where longitudes and latitudes were expected. */
export interface CrsGuess {
  /** `swapped`: latitude first; `projected`: not degrees; `empty`: no finite coordinate. */
  readonly verdict: 'plausible' | 'swapped' | 'projected' | 'empty';
  /** CRSs that have such coordinates, the likeliest first: it is a guess, and never more than four. */
  readonly suggestions: readonly { readonly code: string; readonly words: string }[];
}

type Box = readonly [west: number, south: number, east: number, north: number];

/** Coordinates of UTM do not show their zone: without an expected area, this one stands for all. */
const utmCode = 'EPSG:25832';
/** Of one hemisphere. */
const utmBox: Box = [100e3, 0, 900e3, 10_000e3];
/** An area that spans more zones says nothing of them. */
const maxExpectedDegrees = 30;

/** The coordinate ranges of common CRSs in their own units. Small boxes come first, as they are more specific. */
export const coordinateBoxes: readonly {
  readonly code: string;
  readonly words: string;
  readonly box: Box;
}[] = [
  { code: 'EPSG:28992', words: 'the Dutch grid RD New', box: [7e3, 289e3, 300e3, 629e3] },
  { code: 'EPSG:21781', words: 'the Swiss grid LV03', box: [480e3, 70e3, 840e3, 300e3] },
  { code: 'EPSG:2056', words: 'the Swiss grid LV95', box: [2480e3, 1070e3, 2840e3, 1300e3] },
  { code: 'EPSG:5514', words: 'the Czech and Slovak grid Krovak', box: [-910e3, -1340e3, -159e3, -930e3] },
  ...[2, 3, 4, 5].map((zone) => ({
    code: `EPSG:${31464 + zone}`,
    words: `Gauss-Krüger zone ${zone}`,
    box: [zone * 1e6 + 300e3, 5200e3, zone * 1e6 + 700e3, 6150e3] as const,
  })),
  ...[31, 32, 33].map((zone) => ({
    code: { 31: 'EPSG:5649', 32: 'EPSG:4647', 33: 'EPSG:5650' }[zone]!,
    words: `UTM zone ${zone} with the zone before the easting`,
    box: [zone * 1e6 + 160e3, 4200e3, zone * 1e6 + 840e3, 9400e3] as const,
  })),
  { code: 'EPSG:27700', words: 'the British National Grid', box: [0, 0, 700e3, 1300e3] },
  { code: 'EPSG:2154', words: 'the French grid Lambert 93', box: [100e3, 6000e3, 1250e3, 7150e3] },
  { code: utmCode, words: 'UTM', box: [160e3, 4200e3, 840e3, 9400e3] },
  { code: 'EPSG:3035', words: 'the European grid LAEA', box: [2500e3, 1300e3, 6600e3, 5500e3] },
  { code: 'EPSG:3857', words: 'Web Mercator', box: [-20037509, -20048967, 20037509, 20048967] },
];

const maxSuggestions = 4;

/**
 * Judges pairs of x and y that are supposed to be longitudes and latitudes: a sample, or two corners of a box. The
 * expected area, if it is known, separates longitudes from latitudes where both orders are possible, says which zone of UTM is meant, and brings
 * CRSs that are used there to the front.
 */
export function guessCrs(coordinates: Float64Array, count: number, expected?: Area): CrsGuess {
  const box = boundsOf(coordinates, count);
  if (box === undefined) return { verdict: 'empty', suggestions: [] };
  const [west, south, east, north] = box;
  const swapped: Box = [south, west, north, east];
  if (areDegrees(box)) {
    const isElsewhere = expected !== undefined && !touches(expected, box) && touches(expected, swapped);
    return { verdict: isElsewhere && areDegrees(swapped) ? 'swapped' : 'plausible', suggestions: [] };
  }
  if (areDegrees(swapped)) return { verdict: 'swapped', suggestions: [] };
  return { verdict: 'projected', suggestions: suggest(box, swapped, expected).slice(0, maxSuggestions) };
}

function boundsOf(coordinates: Float64Array, count: number): Box | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 2 * count; i += 2) {
    const x = coordinates[i]!;
    const y = coordinates[i + 1]!;
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return west <= east ? [west, south, east, north] : undefined;
}

function areDegrees([west, south, east, north]: Box): boolean {
  return west >= -180 && east <= 180 && south >= -90 && north <= 90;
}

/** Tests the corners and the centre of the box: enough to tell one continent from another. */
function touches(area: Area, [west, south, east, north]: Box): boolean {
  const places = [
    [west, south],
    [east, south],
    [west, north],
    [east, north],
    [(west + east) / 2, (south + north) / 2],
  ] as const;
  return places.some((place) => isWithin(area, place));
}

type Suggestions = CrsGuess['suggestions'];

function suggest(straight: Box, turned: Box, expected: Area | undefined): Suggestions {
  const middle = expected && widthOf(expected) <= maxExpectedDegrees ? middleOf(expected) : undefined;
  const suggestions = coordinateBoxes.flatMap(({ code, words, box }): Suggestions => {
    if (code === utmCode && middle !== undefined)
      return contains(utmBox, straight) ? [utmZoneAt(middle)] : [];
    if (contains(box, straight)) return [{ code, words: code === utmCode ? wordsOfUtm(straight) : words }];
    // Web Mercator turned round is Web Mercator elsewhere: it says nothing.
    if (code === 'EPSG:3857' || !contains(box, turned)) return [];
    return [{ code, words: `${words}, its northings first` }];
  });
  if (middle === undefined) return suggestions;
  const isUsedThere = ({ code }: Suggestions[number]): boolean => {
    const { area } = findCrs(code);
    return area === undefined || isWithin(area, middle);
  };
  return suggestions.toSorted((a, b) => Number(isUsedThere(b)) - Number(isUsedThere(a)));
}

const metresPerDegree = 111_133;

/** Of any zone: latitudes hardly depend on it. */
function wordsOfUtm([, south, , north]: Box): string {
  const latitude = (south + north) / 2 / 0.9996 / metresPerDegree;
  return `UTM at about ${Math.round(latitude)}° N, whose zone they do not show: in Germany 32, or 33 (EPSG:25833)`;
}

function widthOf([west, , east]: Area): number {
  return east < west ? east - west + 360 : east - west;
}

function contains([west, south, east, north]: Box, inner: Box): boolean {
  return inner[0] >= west && inner[2] <= east && inner[1] >= south && inner[3] <= north;
}
