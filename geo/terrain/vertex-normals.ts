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
    const sinLat = lats.sines[row]!;
    const cosLat = lats.cosines[row]!;
    const sinLon = lons.sines[column]!;
    const cosLon = lons.cosines[column]!;
    const east = -eastward[vertex]! / (spacing * Math.max(minCosine, cosLat));
    const north = -northward[vertex]! / spacing;
    const x = -sinLon * east - sinLat * cosLon * north + cosLat * cosLon;
    const y = cosLon * east - sinLat * sinLon * north + cosLat * sinLon;
    const z = cosLat * north + sinLat;
    const size = Math.abs(x) + Math.abs(y) + Math.abs(z);
    const first = x / size;
    const second = y / size;
    normals[i * 2] = byteOf(z < 0 ? folded(first, second) : first);
    normals[i * 2 + 1] = byteOf(z < 0 ? folded(second, first) : second);
  }
  return normals;
}

/** Where the lower half of the octahedron lies, folded over the upper one. */
function folded(value: number, other: number): number {
  return (1 - Math.abs(other)) * (value < 0 ? -1 : 1);
}

/** Of a value from -1 to 1. */
function byteOf(value: number): number {
  return Math.round((value * 0.5 + 0.5) * 255);
}

/** @param degreesOf a row or column of vertices */
function anglesOf(degreesOf: (number: number) => number) {
  const [sines, cosines] = [new Float64Array(side), new Float64Array(side)];
  for (let i = 0; i < side; i++) {
    const angle = degreesOf(i) * radians;
    sines[i] = Math.sin(angle);
    cosines[i] = Math.cos(angle);
  }
  return { sines, cosines };
}
