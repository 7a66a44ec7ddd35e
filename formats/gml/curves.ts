import { pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { clearHeights, riseTo, setHeight } from '../feature/position-heights.ts';
import { linearArc } from '../wkb/linearise-arc.ts';

/** The segments of a Curve that are not straight, by their names. */
export type CurvedSegment = 'Arc' | 'ArcString' | 'Circle' | 'ArcByCenterPoint' | 'CircleByCenterPoint';

const curved = new Set<string>(['Arc', 'ArcString', 'Circle', 'ArcByCenterPoint', 'CircleByCenterPoint']);

export const isCurvedSegment = (element: string): element is CurvedSegment => curved.has(element);

export interface ArcMeasures {
  readonly radius: number;
  /** In degrees. */
  readonly startAngle: number;
  readonly endAngle: number;
}

/** 64 MB: arcs swell to a hundred positions each, which a small file could abuse. */
const maxPositions = 1 << 22;

/**
 * Replaces the control points of a segment, which are the positions from `start` on, by chords.
 * @returns the problem, if any
 */
export function linearise(
  geometry: GeometryBuffer,
  start: number,
  segment: CurvedSegment,
  measures: ArcMeasures,
): string | undefined {
  const { heights, positionCount } = geometry;
  const [first, last] = [heights?.z[start] ?? NaN, heights?.z[positionCount - 1] ?? NaN];
  if (heights !== undefined) clearHeights(heights, start);
  const problem = replacePoints(geometry, start, segment, measures);
  if (heights === undefined || problem !== undefined || Number.isNaN(first + last)) return problem;
  setHeight(heights, start, first, NaN);
  riseTo(heights, start + 1, geometry.positionCount, last);
  return undefined;
}

function replacePoints(
  geometry: GeometryBuffer,
  start: number,
  segment: CurvedSegment,
  measures: ArcMeasures,
): string | undefined {
  const points = Array.from(geometry.coordinates.subarray(start * 2, geometry.positionCount * 2));
  const count = points.length / 2;
  geometry.positionCount = start;
  const push = (x: number, y: number): void => pushPosition(geometry, x, y);
  if (start + count * 100 > maxPositions) return 'its arcs need too many positions';
  if (segment === 'Arc' || segment === 'ArcString') {
    if (count < 3 || count % 2 === 0 || (segment === 'Arc' && count !== 3))
      return `an ${segment} has ${count} positions`;
    push(points[0]!, points[1]!);
    for (let i = 0; i + 4 < points.length; i += 4) arc(points.slice(i, i + 6), push);
    return undefined;
  }
  if (segment === 'Circle') return circle(points, push);
  const { radius, startAngle, endAngle } = measures;
  if (count !== 1 || !(radius > 0) || !Number.isFinite(radius)) return `a ${segment} has no centre or radius`;
  const whole = segment === 'CircleByCenterPoint' || Math.abs(endAngle - startAngle) >= 360;
  const from = whole ? 0 : startAngle;
  const to = whole ? 360 : endAngle;
  if (!Number.isFinite(from + to)) return `an ${segment} has no angles`;
  // GML 3.2.1, 10.4.7.11: from the first axis towards the second, and positions here are in the file's order of axes.
  const at = (angle: number): [number, number] => [
    points[0]! + radius * Math.cos((angle * Math.PI) / 180),
    points[1]! + radius * Math.sin((angle * Math.PI) / 180),
  ];
  const begin = at(from);
  push(...begin);
  arc([...begin, ...at((from + to) / 2), ...(whole ? begin : at(to))], push);
  return undefined;
}

/** @param points three, flat */
function arc(points: readonly number[], push: (x: number, y: number) => void): void {
  const [ax, ay, bx, by, cx, cy] = points as [number, number, number, number, number, number];
  linearArc(ax, ay, bx, by, cx, cy, push);
}

/** The full circle through three points, starting and ending at the first. */
function circle(points: readonly number[], push: (x: number, y: number) => void): string | undefined {
  if (points.length !== 6) return `a Circle has ${points.length / 2} positions`;
  const [ax, ay, bx, by, cx, cy] = points as [number, number, number, number, number, number];
  const [dbx, dby, dcx, dcy] = [bx - ax, by - ay, cx - ax, cy - ay];
  const cross = dbx * dcy - dby * dcx;
  if (cross === 0) return 'the three positions of a Circle are collinear';
  const b2 = dbx * dbx + dby * dby;
  const c2 = dcx * dcx + dcy * dcy;
  const opposite = [ax + (dcy * b2 - dby * c2) / cross, ay + (dbx * c2 - dcx * b2) / cross] as const;
  push(ax, ay);
  const chords: number[] = [];
  linearArc(ax, ay, ...opposite, ax, ay, (x, y) => chords.push(x, y));
  if (cross > 0) for (let i = 0; i < chords.length; i += 2) push(chords[i]!, chords[i + 1]!);
  else {
    for (let i = chords.length - 4; i >= 0; i -= 2) push(chords[i]!, chords[i + 1]!);
    push(ax, ay);
  }
  return undefined;
}
