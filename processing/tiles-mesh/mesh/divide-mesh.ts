import { GrowingArray } from '@platen/formats/mesh-model/growing-array';
import type { PlannedCell } from '../tree/plan-cells.ts';

/** Triangles of a model that have one material, in units. */
export interface ReadPart {
  readonly positions: Int32Array;
  /** v upwards. */
  readonly uvs: Float32Array | undefined;
  readonly colours: Uint8Array | undefined;
  readonly indices: Uint32Array;
  readonly material: number;
}

/** Vertices that grow where triangles are cut. */
interface CutVertices {
  readonly positions: GrowingArray<Int32Array>;
  readonly uvs: GrowingArray<Float32Array> | undefined;
  readonly colours: GrowingArray<Uint8Array> | undefined;
}

export type VisitLeaf = (leaf: PlannedCell, part: ReadPart) => void;

/**
 * Divides a part among the leaves of a tree. Triangles are cut where cells meet; equal edges are cut at equal places,
 * whatever triangles they are of, so that no crack opens.
 */
export function divideMesh(part: ReadPart, root: PlannedCell, visit: VisitLeaf): void {
  const vertices: CutVertices = {
    positions: GrowingArray.of(part.positions),
    uvs: part.uvs && GrowingArray.of(part.uvs),
    colours: part.colours && GrowingArray.of(part.colours),
  };
  const descend = (cell: PlannedCell, triangles: Uint32Array): void => {
    if (triangles.length === 0) return;
    if (cell.children.length === 0) {
      visit(cell, leafOf(part, vertices, triangles));
      return;
    }
    const [west, east] = cut(vertices, triangles, 0, cell.middle[0]);
    const [southWest, northWest] = cut(vertices, west, 1, cell.middle[1]);
    const [southEast, northEast] = cut(vertices, east, 1, cell.middle[1]);
    for (const [i, quarter] of [southWest, southEast, northWest, northEast].entries())
      descend(cell.children[i]!, quarter);
  };
  descend(root, part.indices);
}

function leafOf(part: ReadPart, { positions, uvs, colours }: CutVertices, indices: Uint32Array): ReadPart {
  return {
    positions: positions.view(),
    uvs: uvs?.view(),
    colours: colours?.view(),
    indices,
    material: part.material,
  };
}

/** Triangles on both sides of a plane. @param at where it cuts the axis */
function cut(
  vertices: CutVertices,
  triangles: Uint32Array,
  axis: 0 | 1,
  at: number,
): readonly [low: Uint32Array, high: Uint32Array] {
  const low = new GrowingArray(new Uint32Array(triangles.length));
  const high = new GrowingArray(new Uint32Array(0));
  const made = new Map<number, number>();
  const { positions } = vertices;
  const corners = [0, 0, 0];
  for (let i = 0; i < triangles.length; i += 3) {
    let [below, above] = [0, 0];
    for (let corner = 0; corner < 3; corner++) {
      const vertex = triangles[i + corner]!;
      corners[corner] = vertex;
      const value = positions.at(vertex * 3 + axis);
      if (value < at) below++;
      else if (value > at) above++;
    }
    if (above === 0) pushAll(low, corners);
    else if (below === 0) pushAll(high, corners);
    else {
      const sides = splitTriangle(
        corners,
        (vertex) => Math.sign(positions.at(vertex * 3 + axis) - at),
        (a, b) => crossing({ vertices, made }, axis, at, positions.at(a * 3 + axis) < at ? [a, b] : [b, a]),
      );
      pushFan(low, sides[0], positions);
      pushFan(high, sides[1], positions);
    }
  }
  return [low.finish(), high.finish()];
}

function pushAll(list: GrowingArray<Uint32Array>, corners: readonly number[]): void {
  for (const corner of corners) list.push(corner);
}

/** The polygons on both sides of a plane (Sutherland and Hodgman 1974). */
function splitTriangle(
  corners: readonly number[],
  sideOf: (vertex: number) => number,
  crossingOf: (a: number, b: number) => number,
): readonly [low: number[], high: number[]] {
  const low: number[] = [];
  const high: number[] = [];
  for (const [i, vertex] of corners.entries()) {
    const next = corners[(i + 1) % 3]!;
    const [side, nextSide] = [sideOf(vertex), sideOf(next)];
    if (side <= 0) low.push(vertex);
    if (side >= 0) high.push(vertex);
    if (side * nextSide >= 0) continue;
    const between = crossingOf(vertex, next);
    low.push(between);
    high.push(between);
  }
  return [low, high];
}

function pushFan(
  list: GrowingArray<Uint32Array>,
  polygon: readonly number[],
  positions: GrowingArray<Int32Array>,
): void {
  const isSame = (a: number, b: number): boolean =>
    [0, 1, 2].every((axis) => positions.at(a * 3 + axis) === positions.at(b * 3 + axis));
  for (let i = 1; i + 1 < polygon.length; i++) {
    const [a, b, c] = [polygon[0]!, polygon[i]!, polygon[i + 1]!];
    if (!isSame(a, b) && !isSame(b, c) && !isSame(c, a)) pushAll(list, [a, b, c]);
  }
}

interface Crossings {
  readonly vertices: CutVertices;
  readonly made: Map<number, number>;
}

/** The vertex where an edge crosses the plane. @param edge from the lower to the higher side */
function crossing(
  { vertices: { positions, uvs, colours }, made }: Crossings,
  axis: 0 | 1,
  at: number,
  [low, high]: readonly [number, number],
): number {
  const key = low * 2 ** 26 + high;
  const known = made.get(key);
  if (known !== undefined) return known;
  const [from, to] = [positions.at(low * 3 + axis), positions.at(high * 3 + axis)];
  const share = (at - from) / (to - from);
  const between = (
    list: GrowingArray<Int32Array | Float32Array | Uint8Array>,
    place: number,
    width: number,
  ): number =>
    list.at(low * width + place) + (list.at(high * width + place) - list.at(low * width + place)) * share;
  const vertex = positions.length / 3;
  for (let one = 0; one < 3; one++)
    positions.push(one === axis ? at : Math.round(between(positions, one, 3)));
  if (uvs !== undefined) for (let one = 0; one < 2; one++) uvs.push(between(uvs, one, 2));
  if (colours !== undefined)
    for (let one = 0; one < 4; one++) colours.push(Math.round(between(colours, one, 4)));
  made.set(key, vertex);
  return vertex;
}
