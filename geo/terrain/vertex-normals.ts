import {
  cellsPerTile,
  latitudeOfVertex,
  longitudeOfVertex,
  tileDegrees,
  verticesPerSide as side,
  type TilePlace,
} from './tile-grid.ts';
import type { VertexSurface } from './vertex-heights.ts';

const radians = Math.PI / 180;
const earthRadius = 6_371_000;
/** At the poles a step to the east has no length. */
const minCosine = 1e-6;

/** Normals of vertices, each as two bytes of an octahedron (Cigolle et al. 2014), towards the axes of EPSG:4978. */
export function encodeNormals(
  place: TilePlace,
  vertices: Uint16Array,
  { eastward, northward }: Pick<VertexSurface, 'eastward' | 'northward'>,
): Uint8Array {
  const normals = new Uint8Array(vertices.length * 2);
  const spacing = (tileDegrees(place.z) / cellsPerTile) * radians * earthRadius;
  const lons = anglesOf((column) => longitudeOfVertex(place, column));
  const lats = anglesOf((row) => latitudeOfVertex(place, row));
  for (let i = 0; i < vertices.length; i++) {
    const vertex = vertices[i]!;
    const row = Math.floor(vertex / side);
    const column = vertex - row * side;
    const [sinLat, cosLat] = [lats.sines[row]!, lats.cosines[row]!];
    const [sinLon, cosLon] = [lons.sines[column]!, lons.cosines[column]!];
    const east = -eastward[vertex]! / (spacing * Math.max(minCosine, cosLat));
    const north = -northward[vertex]! / spacing;
    const x = -sinLon * east - sinLat * cosLon * north + cosLat * cosLon;
    const y = cosLon * east - sinLat * sinLon * north + cosLat * sinLon;
    const z = cosLat * north + sinLat;
    encodeOctahedral({ x, y, z }, normals, i * 2);
  }
  return normals;
}

/** @param degreesOf a row or column of vertices */
function anglesOf(degreesOf: (number: number) => number) {
  const angles = Float64Array.from({ length: side }, (_, number) => degreesOf(number) * radians);
  return { sines: angles.map(Math.sin), cosines: angles.map(Math.cos) };
}

interface Direction {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

function encodeOctahedral({ x, y, z }: Direction, target: Uint8Array, at: number): void {
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z);
  let first = x / size;
  let second = y / size;
  if (z < 0) {
    const folded = (1 - Math.abs(second)) * (first < 0 ? -1 : 1);
    second = (1 - Math.abs(first)) * (second < 0 ? -1 : 1);
    first = folded;
  }
  target[at] = Math.round((first * 0.5 + 0.5) * 255);
  target[at + 1] = Math.round((second * 0.5 + 0.5) * 255);
}
