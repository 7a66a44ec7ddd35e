/** Twice its area, positive if it runs clockwise on the screen. */
function measure(ring: Float64Array): number {
  let twice = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    twice += ring[j]! * ring[i + 1]! - ring[i]! * ring[j + 1]!;
  }
  return twice;
}

interface Outer {
  readonly rings: [Float64Array, ...Float64Array[]];
  readonly area: number;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Assigns each hole (a counterclockwise ring) to the smallest outer ring around it. Rings must not cross. */
export function groupRings(rings: readonly Float64Array[]): Float64Array[][] {
  const outers: Outer[] = [];
  const holes: Float64Array[] = [];
  for (const ring of rings) {
    const area = measure(ring);
    if (area > 0) outers.push({ rings: [ring], area, ...boxOf(ring) });
    else if (area < 0) holes.push(ring);
  }
  const inOrder = [...outers];
  outers.sort((a, b) => a.area - b.area);
  for (const hole of holes) {
    // The middle of an edge is tested because corners may touch the outer ring.
    const x = (hole[0]! + hole[2]!) / 2;
    const y = (hole[1]! + hole[3]!) / 2;
    const candidates = outers.filter(
      ({ minX, minY, maxX, maxY }) => x >= minX && x <= maxX && y >= minY && y <= maxY,
    );
    // Every hole is in some outer ring, so the last candidate, the largest, need not be tested.
    const last = candidates.length - 1;
    const around = candidates.find(({ rings: [outer] }, i) => i === last || isInside(outer, x, y));
    around?.rings.push(hole);
  }
  return inOrder.map(({ rings: grouped }) => grouped);
}

function boxOf(ring: Float64Array) {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let i = 0; i < ring.length; i += 2) {
    box.minX = Math.min(box.minX, ring[i]!);
    box.maxX = Math.max(box.maxX, ring[i]!);
    box.minY = Math.min(box.minY, ring[i + 1]!);
    box.maxY = Math.max(box.maxY, ring[i + 1]!);
  }
  return box;
}

function isInside(ring: Float64Array, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const ax = ring[i]!;
    const ay = ring[i + 1]!;
    const bx = ring[j]!;
    const by = ring[j + 1]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
