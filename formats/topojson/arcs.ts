/** The arcs of a topology, decoded: x, y of each position, one arc after the other. */
export interface Arcs {
  readonly count: number;
  readonly coordinates: Float64Array;
  /** Index of the first position behind each arc. */
  readonly ends: Int32Array;
  /** Problems of damaged arcs by index. */
  readonly problems: ReadonlyMap<number, string>;
}

export interface Transform {
  readonly scale: readonly [number, number];
  readonly translate: readonly [number, number];
}

/** TopoJSON 2.1.3: with a transform, each position is the difference from the previous one. */
export function decodeArcs(arcs: readonly unknown[], transform: Transform | undefined): Arcs {
  let positions = 0;
  for (const arc of arcs) if (Array.isArray(arc)) positions += arc.length;
  const coordinates = new Float64Array(positions * 2);
  const ends = new Int32Array(arcs.length);
  const problems = new Map<number, string>();
  const [kx, ky] = transform?.scale ?? [1, 1];
  const [dx, dy] = transform?.translate ?? [0, 0];
  let at = 0;
  for (const [index, arc] of arcs.entries()) {
    if (!Array.isArray(arc)) problems.set(index, `arc ${index} is not an array`);
    let x = 0;
    let y = 0;
    for (const position of Array.isArray(arc) ? (arc as unknown[]) : []) {
      if (!isPosition(position)) {
        problems.set(index, `arc ${index} has a position that is not a pair of numbers`);
        break;
      }
      x = transform === undefined ? position[0]! : x + position[0]!;
      y = transform === undefined ? position[1]! : y + position[1]!;
      coordinates[at++] = x * kx + dx;
      coordinates[at++] = y * ky + dy;
    }
    ends[index] = at / 2;
  }
  return { count: arcs.length, coordinates, ends, problems };
}

export function isPosition(value: unknown): value is number[] {
  return Array.isArray(value) && value.length >= 2 && Number.isFinite(value[0]) && Number.isFinite(value[1]);
}
