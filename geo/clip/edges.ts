/** Rings of one polygon in integer coordinates, y downwards. No ring repeats its first vertex at the end. */
export interface Rings {
  /** x, y of each vertex. */
  xy: Float64Array;
  /** For each ring the index after its last vertex. The first is the outer ring unless `holes` says otherwise. */
  readonly ends: number[];
}

export function createRings(): Rings {
  return { xy: new Float64Array(1024), ends: [] };
}

/** Appends `count` vertices as a ring. */
export function pushRing(rings: Rings, from: Float64Array, count: number): void {
  const start = rings.ends.at(-1) ?? 0;
  if (rings.xy.length < (start + count) * 2) {
    const larger = new Float64Array((start + count) * 3);
    larger.set(rings.xy);
    rings.xy = larger;
  }
  for (let i = 0; i < count * 2; i++) rings.xy[start * 2 + i] = from[i]!;
  rings.ends.push(start + count);
}

/** Directed edges between points of a grid. */
export interface Edges {
  count: number;
  /** ax, ay, bx, by of each edge. */
  ab: Int32Array;
  /** 0 for an edge of the outer ring, 1 for one of a hole. */
  kinds: Uint8Array;
  /** The next edge of the same ring; -1 once edges have been split. */
  next: Int32Array;
  /** 1 if the edge has not been compared with others yet. */
  fresh: Uint8Array;
}

export function createEdges(): Edges {
  return {
    count: 0,
    ab: new Int32Array(256),
    kinds: new Uint8Array(64),
    next: new Int32Array(64),
    fresh: new Uint8Array(64),
  };
}

export interface Edge {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

export function pushEdge(edges: Edges, { ax, ay, bx, by }: Edge, kind: number, fresh: number): void {
  const at = edges.count;
  reserveEdges(edges, at + 1);
  edges.ab[at * 4] = ax;
  edges.ab[at * 4 + 1] = ay;
  edges.ab[at * 4 + 2] = bx;
  edges.ab[at * 4 + 3] = by;
  edges.kinds[at] = kind;
  edges.next[at] = -1;
  edges.fresh[at] = fresh;
  edges.count++;
}

/** Fills in the edges of all rings, the first of which is the outer one. */
export function setEdges(edges: Edges, { xy, ends }: Rings): void {
  edges.count = ends.at(-1) ?? 0;
  reserveEdges(edges, edges.count);
  const { ab, kinds, next, fresh } = edges;
  fresh.fill(1, 0, edges.count);
  let start = 0;
  for (let ring = 0; ring < ends.length; ring++) {
    const end = ends[ring]!;
    kinds.fill(ring === 0 ? 0 : 1, start, end);
    let x = xy[start * 2]!;
    let y = xy[start * 2 + 1]!;
    for (let i = start; i < end; i++) {
      const j = i + 1 === end ? start : i + 1;
      ab[i * 4] = x;
      ab[i * 4 + 1] = y;
      ab[i * 4 + 2] = x = xy[j * 2]!;
      ab[i * 4 + 3] = y = xy[j * 2 + 1]!;
      next[i] = j;
    }
    start = end;
  }
}

function reserveEdges(edges: Edges, count: number): void {
  if (count <= edges.kinds.length) return;
  edges.ab = enlarged(edges.ab, new Int32Array(count * 8));
  edges.kinds = enlarged(edges.kinds, new Uint8Array(count * 2));
  edges.next = enlarged(edges.next, new Int32Array(count * 2));
  edges.fresh = enlarged(edges.fresh, new Uint8Array(count * 2));
}

function enlarged<A extends Int32Array | Uint8Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
