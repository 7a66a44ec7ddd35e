import { geocentricOf, gridToGeocentric } from '../geodesy/geocentric.ts';
import { boundingSphereOf, horizonPointOf } from './bounding-volumes.ts';
import {
  cellsPerTile,
  latitudeOfVertex,
  longitudeOfVertex,
  verticesPerSide as side,
  type TilePlace,
} from './tile-grid.ts';
import type { TileMesh } from './tile-mesher.ts';

/** The largest coordinate of a tile in quantized-mesh. */
const range = 32_767;
/** Of columns of vertices from the west, and of rows from the north. */
const columnCoordinates = Float64Array.from({ length: side }, (_, i) =>
  Math.round((i / cellsPerTile) * range),
);
const rowCoordinates = columnCoordinates.toReversed();

/** What a viewer gets of a mesh: coordinates in the frame of its tile, and the volumes by which it is culled. */
export function placeMesh(place: TilePlace, { vertices, triangles, heights }: TileMesh) {
  const count = vertices.length;
  let [lowest, highest] = [Infinity, -Infinity];
  for (const vertex of vertices) {
    lowest = Math.min(lowest, heights[vertex]!);
    highest = Math.max(highest, heights[vertex]!);
  }
  // as the header holds them
  const [minHeight, maxHeight] = [Math.fround(lowest), Math.fround(highest)];
  const span = maxHeight - minHeight;
  const [u, v, quantised] = [new Uint16Array(count), new Uint16Array(count), new Uint16Array(count)];
  const positions = new Float64Array(count * 3);
  const west = longitudeOfVertex(place, 0);
  const south = latitudeOfVertex(place, cellsPerTile);
  const [width, height] = [longitudeOfVertex(place, cellsPerTile) - west, latitudeOfVertex(place, 0) - south];
  const put = gridToGeocentric(
    columnCoordinates.map((u) => west + (u / range) * width),
    rowCoordinates.map((v) => south + (v / range) * height),
  );
  for (let i = 0; i < count; i++) {
    const vertex = vertices[i]!;
    const row = Math.floor(vertex / side);
    const column = vertex - row * side;
    u[i] = columnCoordinates[column]!;
    v[i] = rowCoordinates[row]!;
    const share = span > 0 ? (heights[vertex]! - minHeight) / span : 0;
    quantised[i] = Math.round(Math.min(1, Math.max(0, share)) * range);
    put({ column, row, height: minHeight + (quantised[i]! / range) * span }, positions, i * 3);
  }
  const sphere = boundingSphereOf(positions);
  const middle = geocentricOf(west + width / 2, south + height / 2, (minHeight + maxHeight) / 2);
  const horizonPoint = horizonPointOf(positions, sphere.centre, middle);
  return { u, v, heights: quantised, triangles, minHeight, maxHeight, ...sphere, horizonPoint };
}
