import { surfaceRoles } from '@platen/formats/city-object/surface-roles';
import type { Prism, Representation, ShapeMesh } from './shape.ts';

const [roof, wall, ground] = [
  surfaceRoles.indexOf('roof'),
  surfaceRoles.indexOf('wall'),
  surfaceRoles.indexOf('ground'),
];

/** @param indices of the outline's triangles @param edges twice their number */
export const prismTriangles = (indices: number, edges: number, hasGround: boolean): number =>
  (indices / 3) * (hasGround ? 2 : 1) + edges;

export const trianglesOfPrism = ({ triangles, edges, hasGround }: Prism): number =>
  prismTriangles(triangles.length, edges.length, hasGround);

/** A prism takes a fifth of the memory of its mesh, which is made where it is drawn. */
export class PrismRepresentation implements Representation {
  readonly error: number;
  readonly prism: Prism;
  readonly hasImages = false;

  constructor(error: number, prism: Prism) {
    this.error = error;
    this.prism = prism;
  }

  get triangles(): number {
    return trianglesOfPrism(this.prism);
  }

  get mesh(): ShapeMesh {
    return meshOfPrism(this.prism);
  }
}

/** Walls, ground and roof, in this order. */
export function meshOfPrism(prism: Prism): ShapeMesh {
  const { vertices, triangles, edges, bottom, top, hasGround, wallLook, roofLook } = prism;
  const walls = edges.length / 2;
  const caps = hasGround ? 2 : 1;
  const corners = vertices.length / 2;
  const faces = walls + caps;
  const positions = new Float32Array((walls * 4 + corners * caps) * 3);
  const indices = new Uint32Array(walls * 6 + triangles.length * caps);
  const vertexEnds = new Uint32Array(faces);
  const indexEnds = new Uint32Array(faces);
  const normals = new Float32Array(faces * 3);
  const roles = new Uint8Array(faces).fill(wall);
  const looks = new Int32Array(faces).fill(wallLook);
  let [vertex, index] = [0, 0];
  const push = (x: number, y: number, z: number): void => {
    positions[vertex * 3] = x;
    positions[vertex * 3 + 1] = y;
    positions[vertex * 3 + 2] = z;
    vertex++;
  };
  for (let face = 0; face < walls; face++) {
    const [from, to] = [edges[face * 2]! * 2, edges[face * 2 + 1]! * 2];
    const [ax, ay, bx, by] = [vertices[from]!, vertices[from + 1]!, vertices[to]!, vertices[to + 1]!];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    normals[face * 3] = (by - ay) / length;
    normals[face * 3 + 1] = (ax - bx) / length;
    indices[index++] = vertex;
    indices[index++] = vertex + 1;
    indices[index++] = vertex + 2;
    indices[index++] = vertex;
    indices[index++] = vertex + 2;
    indices[index++] = vertex + 3;
    push(ax, ay, bottom);
    push(bx, by, bottom);
    push(bx, by, top);
    push(ax, ay, top);
    vertexEnds[face] = vertex;
    indexEnds[face] = index;
  }
  for (let face = walls; face < faces; face++) {
    const isRoof = face === faces - 1;
    const [second, third] = isRoof ? [1, 2] : [2, 1];
    for (let i = 0; i < triangles.length; i += 3) {
      indices[index++] = vertex + triangles[i]!;
      indices[index++] = vertex + triangles[i + second]!;
      indices[index++] = vertex + triangles[i + third]!;
    }
    for (let i = 0; i < vertices.length; i += 2) push(vertices[i]!, vertices[i + 1]!, isRoof ? top : bottom);
    normals[face * 3 + 2] = isRoof ? 1 : -1;
    roles[face] = isRoof ? roof : ground;
    looks[face] = isRoof ? roofLook : -1;
    vertexEnds[face] = vertex;
    indexEnds[face] = index;
  }
  return { positions, uvs: undefined, indices, vertexEnds, indexEnds, normals, roles, looks };
}
