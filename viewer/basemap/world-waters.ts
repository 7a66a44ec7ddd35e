import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPn2, type Pn2Part } from './read-pn2.ts';
import { unwrapLine, unwrapRing } from './unwrap-ring.ts';
import { outlineOf, type Outline } from './world-outlines.ts';

/** A river or lake that maps show from a zoom level on. */
export interface Water extends Outline {
  readonly minZoom: number;
}

export interface River extends Water {
  /** Drawn wider than a tributary. */
  readonly isMain: boolean;
}

/** Rivers, lakes and ice of Natural Earth at 1:50 million; of areas, outer rings and, the other way round, holes. */
export interface WorldWaters {
  readonly rivers: readonly River[];
  readonly lakes: readonly Water[];
  readonly ice: readonly Outline[];
}

/** Minimum length in degrees of a river at each zoom level; infinite where rivers would be a tangle. */
const riverZooms = [Infinity, Infinity, 40, 16, 2.5];
const mainRiver = 16;
/** Minimum area in square degrees of a lake at each zoom level. */
const lakeZooms = [4, 2, 0.7, 0.15, 0.05];

/**
 * Reads the files of Debian's package marble-qt-data.
 * @param folder `/usr/share/marble/data/naturalearth` once the package is installed
 */
export function readWorldWaters(folder: string | undefined): WorldWaters {
  const read = (name: string): Pn2Part[] => {
    const file = join(folder ?? '', `ne_50m_${name}.pn2`);
    if (folder === undefined || !existsSync(file))
      throw new Error(
        `${file} is missing. Name the folder with Marble's data of Natural Earth: data/naturalearth of Debian's package marble-qt-data.`,
      );
    return readPn2(readFileSync(file));
  };
  return {
    rivers: riversOf(read('rivers_lake_centerlines')),
    lakes: read('lakes').map(lakeOf),
    ice: read('glaciated_areas').map(({ points }) => outlineOf(unwrapRing(points))),
  };
}

/** Parts that touch each other end to end, such as those above and below a lake, are one river. */
function riversOf(parts: readonly Pn2Part[]): River[] {
  const courses = coursesOf(parts);
  const lengths = new Map<number, number>();
  for (const [index, { points }] of parts.entries()) {
    const course = courses[index]!;
    lengths.set(course, (lengths.get(course) ?? 0) + lengthOf(points));
  }
  return parts.map(({ points }, index) => {
    const length = lengths.get(courses[index]!)!;
    const minZoom = firstZoom(riverZooms, length);
    return { ...outlineOf(unwrapLine(points)), minZoom, isMain: length >= mainRiver };
  });
}

/** How near ends have to be in degrees. */
const reach = 0.1;

/** @returns the same number for parts of the same river */
function coursesOf(parts: readonly Pn2Part[]): number[] {
  const courses = parts.map(({ feature }) => feature);
  const ends = parts.map(({ points }) => [points[0]!, points.at(-1)!]);
  for (const [one, own] of ends.entries())
    for (const [other, others] of ends.slice(0, one).entries())
      if (own.some(([x, y]) => others.some(([atX, atY]) => Math.hypot(x - atX, y - atY) < reach)))
        unite(courses, courses[one]!, courses[other]!);
  return courses;
}

function unite(courses: number[], from: number, to: number): void {
  if (from === to) return;
  for (const [index, course] of courses.entries()) if (course === from) courses[index] = to;
}

function lakeOf({ points }: Pn2Part): Water {
  return { ...outlineOf(unwrapRing(points)), minZoom: firstZoom(lakeZooms, areaOf(points)) };
}

/** The first zoom level whose minimum a size reaches; the one after the last if none. */
const firstZoom = (minimums: readonly number[], size: number) => {
  const found = minimums.findIndex((minimum) => size >= minimum);
  return found === -1 ? minimums.length : found;
};

const widthFactorAt = (latitude: number) => Math.cos((latitude * Math.PI) / 180);

function lengthOf(points: Pn2Part['points']): number {
  let length = 0;
  for (const [index, [x, y]] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined) length += Math.hypot((x - before[0]) * widthFactorAt(y), y - before[1]);
  }
  return length;
}

function areaOf(points: Pn2Part['points']): number {
  let twice = 0;
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length]!;
    twice += x * nextY - nextX * y;
  }
  return (Math.abs(twice) / 2) * widthFactorAt(points[0]?.[1] ?? 0);
}
