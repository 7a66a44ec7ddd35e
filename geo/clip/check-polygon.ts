import { castRayLeft } from './cast-ray-left.ts';
import { findContacts, noContact, touch, type Contact, type Frame } from './edge-contact.ts';
import { createEdgeGrid, fillGrid } from './edge-grid.ts';
import { createEdges, setEdges, type Rings } from './edges.ts';

const edges = createEdges();
const grid = createEdgeGrid();
const pairs: number[] = [];

/**
 * True if the ring is star-shaped about the mean of its vertices and therefore cannot intersect itself, as most small
 * rings. False is inconclusive.
 */
export function isSurelySimple(xy: Float64Array, count: number): boolean {
  if (count === 3) return true;
  let middleX = 0;
  let middleY = 0;
  for (let i = 0; i < count * 2; i += 2) {
    middleX += xy[i]!;
    middleY += xy[i + 1]!;
  }
  middleX /= count;
  middleY /= count;
  let px = xy[count * 2 - 2]! - middleX;
  let py = xy[count * 2 - 1]! - middleY;
  let halfTurns = 0;
  for (let i = 0; i < count * 2; i += 2) {
    const x = xy[i]! - middleX;
    const y = xy[i + 1]! - middleY;
    // The margin is far larger than the rounding error of the mean.
    if (px * y - x * py < 1e-3) return false;
    if (py < 0 !== y < 0) halfTurns++;
    px = x;
    py = y;
  }
  return halfTurns === 2;
}

/**
 * Returns how the rings of a polygon, the outer one first, meet themselves and each other; holes outside count as
 * touching.
 */
export function checkPolygon(rings: Rings, frame: Frame): Contact {
  setEdges(edges, rings);
  fillGrid(grid, edges);
  pairs.length = 0;
  const contact = findContacts(grid, edges, frame, pairs);
  if (contact !== noContact) return contact;
  for (let hole = 1; hole < rings.ends.length; hole++) {
    if (!isInOuterOnly(rings, hole, frame)) return touch;
  }
  return noContact;
}

/** Expects a hole that meets no other ring. */
function isInOuterOnly({ xy, ends }: Rings, hole: number, { low, high }: Frame): boolean {
  const start = ends[hole - 1]!;
  const end = ends[hole]!;
  const isOnFrame = (value: number): boolean => value === low || value === high;
  let vertex = start;
  while (vertex < end && (isOnFrame(xy[vertex * 2]!) || isOnFrame(xy[vertex * 2 + 1]!))) vertex++;
  if (vertex === end) return true;
  let outer = 0;
  let holes = 0;
  const place = { x: xy[vertex * 2]!, y: xy[vertex * 2 + 1]!, isAbove: false };
  castRayLeft(grid, edges.ab, place, (edge, sign) => {
    if (edge < ends[0]!) outer += sign;
    else if (edge < start || edge >= end) holes += sign;
  });
  return outer !== 0 && holes === 0;
}
