import { createRtin, type GridMesh } from './rtin.ts';
import {
  cellsPerTile as last,
  latitudeOfVertex,
  tileDegrees,
  verticesPerSide as side,
  type TilePlace,
} from './tile-grid.ts';

export interface TileMesh extends GridMesh {
  /** Of the whole grid, in metres: those of the edges lie on the lines that both neighbours draw. */
  readonly heights: Float64Array;
}

/** Metres. */
const earthRadius = 6_371_000;
const radians = Math.PI / 180;
/** Coarser tiles span so much of the globe that only the whole grid is round enough. */
const maxFullZoom = 2;

/**
 * Makes meshes of the heights at the vertices of tiles, within an error of them everywhere. Each edge is simplified alone,
 * by its own heights only, so that both tiles at it have the same line there, whatever else they contain. Because triangles
 * are plane and the Earth is not, the sagitta is part of every error.
 * @returns a function whose result is valid until its next call
 */
export function createTileMesher(): (place: TilePlace, heights: Float64Array, maxError: number) => TileMesh {
  const rtin = createRtin();
  const snapped = new Float64Array(side * side);
  const flat = new Float64Array(side * side);
  const forced = new Uint8Array(side * side);
  return (place, heights, maxError) => {
    snapped.set(heights);
    if (place.z <= maxFullZoom) {
      rtin.measure(snapped, forced.fill(0));
      return { ...rtin.mesh(-1), heights: snapped };
    }
    forced.fill(0);
    for (const edge of edgesOf(place)) snapEdge(snapped, forced, { edge, maxError });
    flatten(place, snapped, flat);
    rtin.measure(flat, forced);
    return { ...rtin.mesh(maxError), heights: snapped };
  };
}

interface Edge {
  readonly start: number;
  readonly step: number;
  /** Metres from vertex to vertex. */
  readonly spacing: number;
}

function edgesOf(place: TilePlace): Edge[] {
  const alongMeridian = spacingOf(place.z);
  const alongParallel = (row: number) => alongMeridian * Math.cos(latitudeOfVertex(place, row) * radians);
  return [
    { start: 0, step: 1, spacing: alongParallel(0) },
    { start: last * side, step: 1, spacing: alongParallel(last) },
    { start: 0, step: side, spacing: alongMeridian },
    { start: last, step: side, spacing: alongMeridian },
  ];
}

function spacingOf(z: number): number {
  return (tileDegrees(z) / last) * radians * earthRadius;
}

/** How far a plane through the middle of an arc is above its ends, by the distance from the middle. */
function sagitta(distance: number): number {
  return (distance * distance) / (2 * earthRadius);
}

/** Marks the vertices that the edge needs, and puts the others on the lines between them. */
function snapEdge(
  heights: Float64Array,
  forced: Uint8Array,
  { edge: { start, step, spacing }, maxError }: { readonly edge: Edge; readonly maxError: number },
): void {
  const profile = new Float64Array(side);
  for (let i = 0; i <= last; i++) profile[i] = heights[start + i * step]! - sagitta((i - last / 2) * spacing);
  const isKept = new Uint8Array(side);
  const measure = (from: number, to: number): number => {
    if (to - from < 2) return 0;
    const middle = (from + to) >> 1;
    const below = Math.max(measure(from, middle), measure(middle, to));
    const error = Math.abs(profile[middle]! - (profile[from]! + profile[to]!) / 2) + below;
    if (error > maxError) isKept[middle] = 1;
    return error;
  };
  measure(0, last);
  isKept[last] = 1;
  let from = 0;
  for (let to = 1; to <= last; to++) {
    if (isKept[to] === 0) continue;
    for (let i = from + 1; i < to; i++) {
      const share = (i - from) / (to - from);
      const onLine = profile[from]! + (profile[to]! - profile[from]!) * share;
      heights[start + i * step] = onLine + sagitta((i - last / 2) * spacing);
    }
    if (to < last) forced[start + to * step] = 1;
    from = to;
  }
}

/** Heights above the plane that touches the middle of the tile. */
function flatten(place: TilePlace, heights: Float64Array, flat: Float64Array): void {
  const spacing = spacingOf(place.z);
  for (let row = 0, at = 0; row <= last; row++) {
    const alongParallel = spacing * Math.cos(latitudeOfVertex(place, row) * radians);
    const northward = sagitta((row - last / 2) * spacing);
    for (let column = 0; column <= last; column++, at++)
      flat[at] = heights[at]! - northward - sagitta((column - last / 2) * alongParallel);
  }
}
