import type { Representation, ShapeMesh } from '../shape/shape.ts';
import { drawPrism } from './draw-faces.ts';
import { FaceCollector } from './face-collector.ts';

/** The mesh of a representation, that of a prism as tiles draw it. */
export function drawnMesh({ mesh, prism }: Representation): ShapeMesh {
  if (prism === undefined) return mesh!;
  const collector = new FaceCollector();
  drawPrism(prism, {
    feature: 0,
    motion: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0),
    paintOf: (_, role, look) => ({ paint: 0, colour: role + 256 * (look + 1), uvs: undefined }),
    targets: [collector],
  });
  const faced = collector.finish({ page: undefined, isTranslucent: false });
  if (!('vertexEnds' in faced)) throw new TypeError('Faces have no vertices of their own.');
  const { positions, indices, vertexEnds, normals, colours } = faced;
  // from the axes of glTF, in which y is up
  const turned = (values: Float64Array | Float32Array, width: number): Float32Array =>
    Float32Array.from({ length: (values.length / width) * 3 }, (_, i) => {
      const first = Math.floor(i / 3) * width;
      return [values[first]!, -values[first + 2]!, values[first + 1]!][i % 3]!;
    });
  return {
    positions: turned(positions, 3),
    uvs: undefined,
    indices,
    vertexEnds,
    indexEnds: vertexEnds.map((end) => {
      const next = indices.findIndex((vertex) => vertex >= end);
      return next < 0 ? indices.length : next;
    }),
    normals: turned(normals, 4),
    roles: Uint8Array.from(colours!, (colour) => colour % 256),
    looks: Int32Array.from(colours!, (colour) => Math.floor(colour / 256) - 1),
  };
}
