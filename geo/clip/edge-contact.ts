import type { EdgeGrid } from './edge-grid.ts';
import type { Edges } from './edges.ts';

export type Contact = typeof noContact | typeof touch | typeof cross | typeof unknown;
export const noContact = 0;
/** One ends on the other, or they overlap along a line. */
export const touch = 1;
/** Each has an end on both sides of the other. */
export const cross = 2;
/** The check was given up because it took too long. */
export const unknown = 3;

/** Closed square. Contacts on its sides only are left over from clipping and need no repair. */
export interface Frame {
  readonly low: number;
  readonly high: number;
}

/**
 * Finds edges that cross or touch any but their neighbours, or overlap a neighbour, and appends them to `pairs`, two
 * by two, some twice. Returns the strongest contact.
 */
export function findContacts(
  { starts, items, columns, rows }: EdgeGrid,
  { ab, next, fresh, count }: Edges,
  frame: Frame,
  pairs: number[],
): Contact {
  let strongest: Contact = noContact;
  // Bounds the work on hostile rings.
  let budget = 10_000_000 + count * 64;
  const compare = (i: number, j: number): void => {
    let contact: Contact = noContact;
    if (next[i] === j || next[j] === i) {
      if (isSpike(ab, i, j)) contact = touch;
    } else {
      contact = contactOf(ab, i, j);
      if (contact === touch && isOnFrame(ab, i, j, frame)) contact = noContact;
    }
    if (contact === noContact) return;
    if (contact > strongest) strongest = contact;
    pairs.push(i, j);
  };
  for (let cell = 0; cell < columns * rows; cell++) {
    const end = starts[cell + 1]!;
    const edges = end - starts[cell]!;
    budget -= (edges * (edges - 1)) / 2;
    if (budget < 0) return unknown;
    for (let at = starts[cell]!; at + 1 < end; at++) {
      if (pairs.length > maxContacts + count * 4) return unknown;
      const i = items[at]!;
      const ax = ab[i * 4]!;
      const ay = ab[i * 4 + 1]!;
      const bx = ab[i * 4 + 2]!;
      const by = ab[i * 4 + 3]!;
      const minX = ax < bx ? ax : bx;
      const maxX = ax < bx ? bx : ax;
      const minY = ay < by ? ay : by;
      const maxY = ay < by ? by : ay;
      const isFresh = fresh[i]! === 1;
      for (let other = at + 1; other < end; other++) {
        const j = items[other]!;
        const cx = ab[j * 4]!;
        const dx = ab[j * 4 + 2]!;
        if ((cx > maxX && dx > maxX) || (cx < minX && dx < minX)) continue;
        const cy = ab[j * 4 + 1]!;
        const dy = ab[j * 4 + 3]!;
        if ((cy > maxY && dy > maxY) || (cy < minY && dy < minY)) continue;
        if (isFresh || fresh[j] === 1) compare(i, j);
      }
    }
  }
  return strongest;
}

/** In entries of `pairs`; two more are allowed per edge. */
const maxContacts = 20_000;

/** Expects two edges whose boxes intersect. */
function contactOf(ab: Int32Array, i: number, j: number): Contact {
  const ax = ab[i * 4]!;
  const ay = ab[i * 4 + 1]!;
  const bx = ab[i * 4 + 2]!;
  const by = ab[i * 4 + 3]!;
  const cx = ab[j * 4]!;
  const cy = ab[j * 4 + 1]!;
  const dx = ab[j * 4 + 2]!;
  const dy = ab[j * 4 + 3]!;
  const sideOfC = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const sideOfD = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
  if ((sideOfC > 0 && sideOfD > 0) || (sideOfC < 0 && sideOfD < 0)) return noContact;
  const sideOfA = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx);
  const sideOfB = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx);
  if ((sideOfA > 0 && sideOfB > 0) || (sideOfA < 0 && sideOfB < 0)) return noContact;
  if (sideOfA !== 0 && sideOfB !== 0 && sideOfC !== 0 && sideOfD !== 0) return cross;
  return touch;
}

/** Whether the second of two neighbours runs back along the first. */
function isSpike(ab: Int32Array, i: number, j: number): boolean {
  const ax = ab[i * 4 + 2]! - ab[i * 4]!;
  const ay = ab[i * 4 + 3]! - ab[i * 4 + 1]!;
  const bx = ab[j * 4 + 2]! - ab[j * 4]!;
  const by = ab[j * 4 + 3]! - ab[j * 4 + 1]!;
  return ax * by === ay * bx && ax * bx + ay * by < 0;
}

/** Whether two edges that touch do so on a side of the frame. */
function isOnFrame(ab: Int32Array, i: number, j: number, { low, high }: Frame): boolean {
  for (const [edge, other] of [
    [i, j],
    [j, i],
  ] as const) {
    for (let end = edge * 4; end < edge * 4 + 4; end += 2) {
      const x = ab[end]!;
      const y = ab[end + 1]!;
      if (!isOnEdge(ab, other, x, y)) continue;
      if (x !== low && x !== high && y !== low && y !== high) return false;
    }
  }
  return true;
}

function isOnEdge(ab: Int32Array, edge: number, x: number, y: number): boolean {
  const ax = ab[edge * 4]!;
  const ay = ab[edge * 4 + 1]!;
  const bx = ab[edge * 4 + 2]!;
  const by = ab[edge * 4 + 3]!;
  if ((bx - ax) * (y - ay) !== (by - ay) * (x - ax)) return false;
  return (
    (ax < bx ? x >= ax && x <= bx : x >= bx && x <= ax) && (ay < by ? y >= ay && y <= by : y >= by && y <= ay)
  );
}
