import { transformPosition } from '@platen/geo/geodesy/matrix';
import { cornersOf, emptyExtent, growExtent, type Extent } from './extent.ts';
import type { Gltf } from './gltf.ts';
import { placeNodes, type PlacedNodes } from './place-nodes.ts';

export interface GltfMeasures extends PlacedNodes {
  readonly triangles: number;
  readonly points: number;
  readonly vertices: number;
  /** z upwards: glTF has y upwards. Only as good as the least and most that accessors claim. */
  readonly extent: Extent;
  /** Primitives that name accessors which do not exist. */
  readonly broken: number;
}

/** Counts and measures the contents of a glTF without reading any vertex. */
export function measureGltf(gltf: Gltf): GltfMeasures {
  const placed = placeNodes(gltf);
  const extent = emptyExtent();
  let [triangles, points, vertices, broken] = [0, 0, 0, 0];
  for (const { primitive, matrix } of placed.primitives) {
    const positions = primitive.position === undefined ? undefined : gltf.accessors[primitive.position];
    const indices = primitive.indices === undefined ? undefined : gltf.accessors[primitive.indices];
    if (positions === undefined || (primitive.indices !== undefined && indices === undefined)) {
      broken++;
      continue;
    }
    vertices += positions.count;
    const drawn = indices?.count ?? positions.count;
    if (primitive.mode === 0) points += drawn;
    else if (primitive.mode === 4) triangles += Math.floor(drawn / 3);
    else if (primitive.mode === 5 || primitive.mode === 6) triangles += Math.max(0, drawn - 2);
    const { min, max } = positions;
    if (min === undefined || max === undefined) continue;
    const box = { min: [min[0]!, min[1]!, min[2]!], max: [max[0]!, max[1]!, max[2]!] } as Extent;
    for (const corner of cornersOf(box)) {
      const [x, y, z] = transformPosition(matrix, corner);
      const [cx = 0, cy = 0, cz = 0] = gltf.center ?? [];
      growExtent(extent, x + cx, cy - z, y + cz);
    }
  }
  return { ...placed, triangles, points, vertices, extent, broken };
}
