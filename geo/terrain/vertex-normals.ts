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
  for (let i = 0; i < vertices.length; i++) {
    const vertex = vertices[i]!;
    const lat = latitudeOfVertex(place, Math.floor(vertex / side)) * radians;
    const lon = longitudeOfVertex(place, vertex % side) * radians;
    const [sinLat, cosLat, sinLon, cosLon] = [Math.sin(lat), Math.cos(lat), Math.sin(lon), Math.cos(lon)];
    const east = -eastward[vertex]! / (spacing * Math.max(minCosine, cosLat));
    const north = -northward[vertex]! / spacing;
    const x = -sinLon * east - sinLat * cosLon * north + cosLat * cosLon;
    const y = cosLon * east - sinLat * sinLon * north + cosLat * sinLon;
    const z = cosLat * north + sinLat;
    encodeOctahedral([x, y, z], normals, i * 2);
  }
  return normals;
}

function encodeOctahedral(
  [x, y, z]: readonly [number, number, number],
  target: Uint8Array,
  at: number,
): void {
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z);
  let [first, second] = [x / size, y / size];
  if (z < 0) {
    const folded = (1 - Math.abs(second)) * (first < 0 ? -1 : 1);
    second = (1 - Math.abs(first)) * (second < 0 ? -1 : 1);
    first = folded;
  }
  target[at] = Math.round((first * 0.5 + 0.5) * 255);
  target[at + 1] = Math.round((second * 0.5 + 0.5) * 255);
}
