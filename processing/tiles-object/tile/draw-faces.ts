import type { RigidMotion } from '@platen/geo/geodesy/local-frame';
import { grown } from '../../models/grown.ts';
import { prismRoles } from '../shape/prism.ts';
import type { Prism, ShapeMesh } from '../shape/shape.ts';
import type { FaceCollector } from './face-collector.ts';

/** How a face is drawn. */
export interface PaintedFace {
  /** The number of a paint. */
  readonly paint: number;
  /** Red, green, blue and alpha from 0 to 255, linear, from the lowest byte up. */
  readonly colour: number;
  /** u, v of each vertex of the face, v downwards, in its page. */
  readonly uvs: ArrayLike<number> | undefined;
}

/** Tells how a face of a feature is drawn, by its number, its role and its look. */
export type FacePaint = (face: number, role: number, look: number) => PaintedFace;

/** A feature of a tile, and where its faces go. */
export interface FaceDrawing {
  readonly feature: number;
  /** From the axes of the feature, east, north and up, to those of the tile. */
  readonly motion: RigidMotion;
  readonly paintOf: FacePaint;
  /** For each paint. */
  readonly targets: readonly FaceCollector[];
}

export function drawMesh(mesh: ShapeMesh, { feature, motion, paintOf, targets }: FaceDrawing): void {
  const { positions, normals, indices, vertexEnds, indexEnds, roles, looks } = mesh;
  let [first, index] = [0, 0];
  for (let face = 0; face < vertexEnds.length; face++) {
    const painted = paintOf(face, roles[face]!, looks[face]!);
    const target = targets[painted.paint]!;
    const [end, indexEnd] = [vertexEnds[face]!, indexEnds[face]!];
    target.reserve(end - first, indexEnd - index, 1);
    const { positions: moved, indices: shifted, vertexCount } = target;
    const shift = vertexCount - first;
    for (let i = first; i < end; i++)
      move(motion, positions[i * 3]!, positions[i * 3 + 1]!, positions[i * 3 + 2]!, moved, (i + shift) * 3);
    let to = target.indexCount;
    while (index < indexEnd) shifted[to++] = indices[index++]! + shift;
    target.indexCount = to;
    if (painted.uvs !== undefined) target.setUvs(painted.uvs);
    target.vertexCount += end - first;
    target.endFace(painted.colour, feature, normals, face * 3);
    first = end;
  }
}

/** x, y, z of the corners of a prism in the axes of the tile, those at its bottom before those at its top. */
let corners = new Float64Array(6 * 64);
const normal = new Float32Array(3);
const quad = [0, 1, 2, 0, 2, 3] as const;

/** Walls, ground and roof, in this order. */
export function drawPrism(prism: Prism, { feature, motion, paintOf, targets }: FaceDrawing): void {
  const { vertices, triangles, edges, hasGround, wallLook, roofLook } = prism;
  const count = vertices.length / 2;
  moveCorners(prism, motion);
  const painted = paintOf(0, prismRoles.wall, wallLook);
  const target = targets[painted.paint]!;
  target.reserve(edges.length * 2, edges.length * 3, edges.length / 2);
  normal[2] = 0;
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [from, to] = [edges[edge]!, edges[edge + 1]!];
    const dx = vertices[to * 2]! - vertices[from * 2]!;
    const dy = vertices[to * 2 + 1]! - vertices[from * 2 + 1]!;
    const length = Math.sqrt(dx * dx + dy * dy) || 1;
    normal[0] = dy / length;
    normal[1] = (0 - dx) / length;
    addIndices(target, quad, false);
    addCorner(target, from);
    addCorner(target, to);
    addCorner(target, count + to);
    addCorner(target, count + from);
    target.endFace(painted.colour, feature, normal, 0);
  }
  normal[0] = 0;
  normal[1] = 0;
  for (let cap = hasGround ? 0 : 1; cap < 2; cap++) {
    const isRoof = cap === 1;
    const { paint, colour } = isRoof
      ? paintOf(0, prismRoles.roof, roofLook)
      : paintOf(0, prismRoles.ground, -1);
    const capTarget = targets[paint]!;
    capTarget.reserve(count, triangles.length, 1);
    addIndices(capTarget, triangles, !isRoof);
    for (let corner = 0; corner < count; corner++) addCorner(capTarget, cap * count + corner);
    normal[2] = isRoof ? 1 : -1;
    capTarget.endFace(colour, feature, normal, 0);
  }
}

function moveCorners({ vertices, bottom, top }: Prism, motion: RigidMotion): void {
  corners = grown(corners, vertices.length * 3);
  for (let i = 0; i < vertices.length; i += 2) {
    const [x, y] = [vertices[i]!, vertices[i + 1]!];
    const at = (i / 2) * 3;
    move(motion, x, y, bottom, corners, at);
    move(motion, x, y, top, corners, at + (vertices.length / 2) * 3);
  }
}

/** East, north and up to the axes of a tile: up becomes y, and north −z. */
function move(motion: RigidMotion, x: number, y: number, z: number, to: Float64Array, at: number): void {
  to[at] = motion[0]! * x + motion[1]! * y + motion[2]! * z + motion[3]!;
  to[at + 1] = motion[8]! * x + motion[9]! * y + motion[10]! * z + motion[11]!;
  to[at + 2] = -(motion[4]! * x + motion[5]! * y + motion[6]! * z + motion[7]!);
}

/** Triangles of vertices that are added next. @param isTurned whether they look the other way */
function addIndices(target: FaceCollector, triangles: ArrayLike<number>, isTurned: boolean): void {
  const { indices, vertexCount } = target;
  const [second, third] = isTurned ? [2, 1] : [1, 2];
  let at = target.indexCount;
  for (let i = 0; i < triangles.length; i += 3) {
    indices[at++] = vertexCount + triangles[i]!;
    indices[at++] = vertexCount + triangles[i + second]!;
    indices[at++] = vertexCount + triangles[i + third]!;
  }
  target.indexCount = at;
}

function addCorner(target: FaceCollector, corner: number): void {
  const { positions } = target;
  let [from, to] = [corner * 3, target.vertexCount++ * 3];
  positions[to++] = corners[from++]!;
  positions[to++] = corners[from++]!;
  positions[to] = corners[from]!;
}
