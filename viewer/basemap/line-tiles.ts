import { clipRing, type Point } from './clip-to-box.ts';
import { copiesIn, frameOf, runsIn, type Frame } from './frame.ts';
import type { Label } from './labels.ts';
import { encodeTile, tileExtent, type TileFeature } from './mvt-tile.ts';
import type { Outline, WorldOutlines } from './world-outlines.ts';
import type { WorldWaters } from './world-waters.ts';

/** In tile units, so that no stroke along the clip line is visible. */
export const margin = 64;

export interface LineTileSources {
  readonly world: WorldOutlines & WorldWaters;
  readonly countries: readonly Label[];
  readonly places: readonly Label[];
}

/** Encodes land, rivers, lakes, borders, coasts and names of one tile. */
export function lineTile({ world, countries, places }: LineTileSources, z: number, x: number, y: number) {
  const frame = frameOf({ z, x, y, size: tileExtent, margin });
  return encodeTile({
    land: areasIn(frame, world.land),
    rivers: linesIn(
      frame,
      world.rivers.filter(({ minZoom }) => z >= minZoom),
    ),
    lakes: areasIn(
      frame,
      world.lakes.filter(({ minZoom }) => z >= minZoom),
    ),
    borders: linesIn(frame, world.borders),
    coasts: linesIn(frame, world.coasts),
    countries: labelsIn(frame, countries, z),
    places: labelsIn(frame, places, z),
  });
}

const toTile = ({ scale, left, top }: Frame, points: readonly Point[]) =>
  withoutRepeats(points.map(([x, y]): Point => [Math.round(x * scale - left), Math.round(y * scale - top)]));

const withoutRepeats = (points: readonly Point[]) =>
  points.filter((point, index) => {
    const before = points[index - 1];
    return before === undefined || before[0] !== point[0] || before[1] !== point[1];
  });

/**
 * The direction of a ring distinguishes outer rings from holes of the previous ring; in tiles, outer rings have
 * positive areas.
 */
export function areasIn(frame: Frame, rings: readonly Outline[]): TileFeature[] {
  const polygons: Point[][][] = [];
  for (const ring of rings) {
    for (const copy of copiesIn(frame, ring)) {
      const clipped = clipRing(copy, frame.box);
      const points = toTile(frame, clipped).slice(0, -1);
      if (points.length < 3) continue;
      const area = areaOf(points);
      if (area > 0) polygons.push([points]);
      else if (area < 0) polygons.findLast(([outer]) => holds(outer!, points[0]!))?.push(points);
    }
  }
  return polygons.map((parts) => ({ type: 'polygon', parts }));
}

function areaOf(ring: readonly Point[]): number {
  let twice = 0;
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!;
    twice += x * nextY - nextX * y;
  }
  return twice / 2;
}

/** Even-odd rule. */
function holds(ring: readonly Point[], [x, y]: Point): boolean {
  let isIn = false;
  for (const [index, [x1, y1]] of ring.entries()) {
    const [x2, y2] = ring[(index + 1) % ring.length]!;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isIn = !isIn;
  }
  return isIn;
}

export function linesIn(frame: Frame, outlines: readonly Outline[]): TileFeature[] {
  const parts = outlines
    .flatMap((line) => copiesIn(frame, line))
    .flatMap((points) => runsIn(frame, points))
    .map((run) => toTile(frame, run))
    .filter((run) => run.length > 1);
  return parts.length === 0 ? [] : [{ type: 'line', parts }];
}

/** No margin: each name belongs to one tile. */
function labelsIn({ scale, left, top }: Frame, labels: readonly Label[], z: number): TileFeature[] {
  return labels.flatMap(({ at, minZoom, attributes }) => {
    if (z < minZoom) return [];
    const x = Math.floor(at[0] * scale - left);
    const y = Math.floor(at[1] * scale - top);
    if (x < 0 || y < 0 || x >= tileExtent || y >= tileExtent) return [];
    return [{ type: 'point', parts: [[[x, y]]], attributes }];
  });
}
