import { eachRunInRings, type DegreeCells } from '@platen/geo/terrain/cells-in-rings';
import {
  addHistogram,
  countNumber,
  createHistogram,
  quantilesOf,
  type Histogram,
} from '../../kit/histogram.ts';
import type { DegreeBox, WaterPolygons } from './water-polygons.ts';

/** Metres that the middle half of the heights of a lake lie within: those of a river do not. */
const maxSpread = 3;

/** The heights in a polygon as far as a unit has them. */
export interface WaterHeights {
  readonly polygon: number;
  readonly heights: Histogram;
}

/** The height of a polygon's surface in metres. */
export type WaterLevel = readonly [polygon: number, metres: number];

/**
 * Levels the water that lies within a square of cells. @returns the heights of water that reaches beyond it, to be levelled when
 * those of all squares are known
 */
export function flattenWithin(
  cells: Float32Array,
  square: DegreeCells,
  polygons: WaterPolygons,
): WaterHeights[] {
  const { west, north, step, side } = square;
  const box: DegreeBox = [west, north - step * side, west + step * side, north];
  const beyond: WaterHeights[] = [];
  const levels: WaterLevel[] = [];
  for (const polygon of polygons.within(box, 0)) {
    const heights = createHistogram();
    eachRunInRings(polygons.ringsOf(polygon), square, (row, from, to) => {
      for (let i = row * side + from; i < row * side + to; i++)
        if (!Number.isNaN(cells[i]!)) countNumber(heights, cells[i]!);
    });
    if (heights.bins.size === 0) continue;
    if (isWithin(polygons.boxOf(polygon), box)) levels.push(...levelOf({ polygon, heights }));
    else beyond.push({ polygon, heights });
  }
  levelCells(cells, square, { polygons, levels });
  return beyond;
}

/** Puts the water at its levels, as far as there is data. */
export function levelCells(
  cells: Float32Array,
  square: DegreeCells,
  { polygons, levels }: { readonly polygons: WaterPolygons; readonly levels: readonly WaterLevel[] },
): void {
  const { side } = square;
  for (const [polygon, level] of levels)
    eachRunInRings(polygons.ringsOf(polygon), square, (row, from, to) => {
      for (let i = row * side + from; i < row * side + to; i++)
        if (!Number.isNaN(cells[i]!)) cells[i] = level;
    });
}

/** The levels of water by the heights that squares have of it, in the order of the polygons. */
export function levelsOf(found: Iterable<WaterHeights>): WaterLevel[] {
  const all = new Map<number, Histogram>();
  for (const { polygon, heights } of found) {
    const known = all.get(polygon) ?? createHistogram();
    all.set(polygon, known);
    addHistogram(known, heights);
  }
  return [...all]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([polygon, heights]) => levelOf({ polygon, heights }));
}

/** None for a river, whose surface slopes. */
function levelOf({ polygon, heights }: WaterHeights): WaterLevel[] {
  const [, lower, , upper] = quantilesOf(heights, 5);
  return upper! - lower! <= maxSpread ? [[polygon, lower!]] : [];
}

function isWithin([west, south, east, north]: DegreeBox, outer: DegreeBox): boolean {
  return west >= outer[0] && south >= outer[1] && east <= outer[2] && north <= outer[3];
}
