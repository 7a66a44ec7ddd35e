/** Maximum number of boxes and positions examined, about half a second: entangled rings could take hours otherwise. */
const maxSteps = 2 ** 26;
/** Beyond this number of steps, a hole goes to the last outer ring that can contain it. */
const carefulSteps = 2 ** 24;

interface Rings {
  readonly coordinates: Float64Array;
  /** Behind the last position of each. */
  readonly ends: readonly number[];
  /** Positive where counter-clockwise. */
  readonly areas: Float64Array;
  /** West, south, east, north of each. */
  readonly boxes: Float64Array;
}

/**
 * Assigns each ring to its outer ring; outer rings to themselves. Outer rings turn clockwise (ESRI Shapefile Technical
 * Description, July 1998, p. 8), or the other way round if the largest ring, which cannot be a hole, does so. A hole
 * belongs to the smallest outer ring around it, and is itself an outer ring if there is none.
 * @param coordinates x, y of each position
 * @param ends index behind the last position of each ring
 * @returns undefined if the rings overlap too much to decide
 */
export function assignRings(coordinates: Float64Array, ends: readonly number[]): Int32Array | undefined {
  const rings = measureRings(coordinates, ends);
  const { areas, boxes } = rings;
  const owners = Int32Array.from(ends, (_, ring) => ring);
  const bySize = owners.toSorted((a, b) => Math.abs(areas[a]!) - Math.abs(areas[b]!));
  const turn = Math.sign(areas[bySize.at(-1)!]!);
  const outers = bySize.filter((ring) => areas[ring]! * turn >= 0);
  const holes = bySize
    .filter((ring) => areas[ring]! * turn < 0)
    .toSorted((a, b) => boxes[a * 4]! - boxes[b * 4]!);
  if (holes.length === 0) return owners;
  const largest = new Int32Array(ends.length).fill(-1);
  let steps = 0;
  const around = (visit: (outer: number, hole: number) => void): void => {
    for (const outer of outers) {
      const east = boxes[outer * 4 + 2]!;
      for (let i = firstFrom(holes, boxes, boxes[outer * 4]!); i < holes.length; i++) {
        const hole = holes[i]!;
        if (boxes[hole * 4]! > east || ++steps > maxSteps) break;
        if (boxHolds(boxes, outer, hole)) visit(outer, hole);
      }
    }
  };
  around((outer, hole) => {
    largest[hole] = outer;
  });
  around((outer, hole) => {
    if (owners[hole] !== hole) return;
    if (largest[hole] !== outer || steps < carefulSteps) {
      steps += ends[outer]! - startOf(rings, outer);
      if (!ringHolds(rings, outer, hole)) return;
    }
    owners[hole] = outer;
  });
  return steps > maxSteps ? undefined : owners;
}

function measureRings(coordinates: Float64Array, ends: readonly number[]): Rings {
  const areas = new Float64Array(ends.length);
  const boxes = new Float64Array(ends.length * 4);
  let start = 0;
  for (let ring = 0; ring < ends.length; ring++) {
    const end = ends[ring]!;
    const x0 = coordinates[start * 2]!;
    const y0 = coordinates[start * 2 + 1]!;
    let [west, south, east, north] = [x0, y0, x0, y0];
    let area = 0;
    let px = 0;
    let py = 0;
    for (let i = start + 1; i < end; i++) {
      const x = coordinates[i * 2]!;
      const y = coordinates[i * 2 + 1]!;
      if (x < west) west = x;
      else if (x > east) east = x;
      if (y < south) south = y;
      else if (y > north) north = y;
      // Relative to the first position, so that large eastings cancel nothing.
      const dx = x - x0;
      const dy = y - y0;
      area += px * dy - dx * py;
      px = dx;
      py = dy;
    }
    areas[ring] = area / 2;
    boxes.set([west, south, east, north], ring * 4);
    start = end;
  }
  return { coordinates, ends, areas, boxes };
}

function startOf({ ends }: Rings, ring: number): number {
  return ring === 0 ? 0 : ends[ring - 1]!;
}

/** Finds the first hole that does not begin west of `west`; holes are sorted from west to east. */
function firstFrom(holes: Int32Array, boxes: Float64Array, west: number): number {
  let low = 0;
  let high = holes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (boxes[holes[middle]! * 4]! < west) low = middle + 1;
    else high = middle;
  }
  return low;
}

function boxHolds(boxes: Float64Array, outer: number, inner: number): boolean {
  return (
    boxes[inner * 4]! >= boxes[outer * 4]! &&
    boxes[inner * 4 + 1]! >= boxes[outer * 4 + 1]! &&
    boxes[inner * 4 + 2]! <= boxes[outer * 4 + 2]! &&
    boxes[inner * 4 + 3]! <= boxes[outer * 4 + 3]!
  );
}

/** Rings touch in fewer positions than this, unless they are the same. */
const maxTouching = 16;

/** Decides by the first position of the inner ring that is not on the outer ring. */
function ringHolds(rings: Rings, outer: number, inner: number): boolean {
  const { coordinates } = rings;
  const start = startOf(rings, inner);
  const end = Math.min(rings.ends[inner]!, start + maxTouching);
  for (let i = start; i < end; i++) {
    const side = sideOf(rings, outer, coordinates[i * 2]!, coordinates[i * 2 + 1]!);
    if (side !== 0) return side > 0;
  }
  return true;
}

/** 1 inside, -1 outside, 0 on the ring itself. */
function sideOf(rings: Rings, ring: number, x: number, y: number): number {
  const { coordinates } = rings;
  const start = startOf(rings, ring);
  const end = rings.ends[ring]!;
  let inside = false;
  let ax = coordinates[end * 2 - 2]!;
  let ay = coordinates[end * 2 - 1]!;
  for (let i = start; i < end; i++) {
    const bx = coordinates[i * 2]!;
    const by = coordinates[i * 2 + 1]!;
    if (by > y !== ay > y) {
      const cross = (ax - bx) * (y - by) - (ay - by) * (x - bx);
      if (cross === 0) return 0;
      if (cross > 0 === ay > by) inside = !inside;
    } else if (by === y && (bx === x || (ay === y && bx > x !== ax > x))) return 0;
    ax = bx;
    ay = by;
  }
  return inside ? 1 : -1;
}
