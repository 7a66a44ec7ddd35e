import { localFrameAt, motionBetween, type LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { Paint, TilePrimitive } from '../../models/glb/write-feature-tile.ts';
import { FaceCollector } from './face-collector.ts';
import { unionOfRegions, type Region } from '../../models/region.ts';
import type { Representation, Shape, ShapeMesh } from '../shape/shape.ts';

/** A feature of a tile in the representation that it has there. */
export interface TileFeature<S extends Shape = Shape> {
  readonly shape: S;
  readonly representation: Representation;
}

/** What decides how a face is drawn. */
export interface PaintedFace {
  /** The number of a paint. */
  readonly paint: number;
  /** Red, green, blue and alpha from 0 to 255, linear. */
  readonly colour: readonly [number, number, number, number];
  /** u, v of each vertex of the face, v downwards, in its page. */
  readonly uvs: ArrayLike<number> | undefined;
}

export function regionOf(features: readonly TileFeature[]): Region {
  return features.map(({ shape }) => shape.region).reduce(unionOfRegions);
}

export function frameOf([west, south, east, north, lowest]: Region): LocalFrame {
  return localFrameAt((west + east) / 2, (south + north) / 2, lowest);
}

/** Tells how a face of a feature is drawn. */
export type PaintOf = (feature: number, mesh: ShapeMesh, face: number) => PaintedFace;

/** Moves all features into the frame of the tile and sorts their faces by paint. */
export function tilePrimitives(
  features: readonly TileFeature[],
  frame: LocalFrame,
  { paints, paintOf }: { readonly paints: readonly Paint[]; readonly paintOf: PaintOf },
): TilePrimitive[] {
  const triangles = features.reduce((sum, { representation }) => sum + representation.triangles, 0);
  // most faces have the first paint
  const targets = paints.map((_, i) => new FaceCollector(i === 0 ? triangles : 0));
  for (const [number, { shape, representation }] of features.entries()) {
    const { mesh } = representation;
    const { positions, normals, indices, vertexEnds, indexEnds } = mesh;
    const { lon, lat, height } = shape.place;
    const { rotation, translation } = motionBetween(localFrameAt(lon, lat, height), frame);
    const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = rotation;
    const [xMoved, yMoved, zMoved] = translation;
    let [first, index] = [0, 0];
    for (let face = 0; face < vertexEnds.length; face++) {
      const { paint, colour, uvs } = paintOf(number, mesh, face);
      const target = targets[paint]!;
      const [end, indexEnd] = [vertexEnds[face]!, indexEnds[face]!];
      target.reserve(end - first, indexEnd - index);
      const { positions: moved, indices: shifted, vertexCount } = target;
      const shift = vertexCount - first;
      for (let i = first; i < end; i++) {
        const [from, to] = [i * 3, (i + shift) * 3];
        const [x, y, z] = [positions[from]!, positions[from + 1]!, positions[from + 2]!];
        moved[to] = xx * x + xy * y + xz * z + xMoved;
        moved[to + 1] = zx * x + zy * y + zz * z + zMoved;
        moved[to + 2] = -(yx * x + yy * y + yz * z + yMoved);
      }
      if (uvs !== undefined) target.setUvs(uvs);
      let to = target.indexCount;
      while (index < indexEnd) shifted[to++] = indices[index++]! + shift;
      target.indexCount = to;
      target.vertexCount += end - first;
      first = end;
      const at = target.faceCount++;
      target.vertexEnds[at] = target.vertexCount;
      target.normals[at * 4] = normals[face * 3]!;
      target.normals[at * 4 + 1] = normals[face * 3 + 2]!;
      target.normals[at * 4 + 2] = -normals[face * 3 + 1]!;
      target.colours[at] = colour[0] | (colour[1] << 8) | (colour[2] << 16) | (colour[3] << 24);
      target.features[at] = number;
    }
  }
  return targets.flatMap((target, i) => (target.faceCount === 0 ? [] : [target.finish(paints[i]!)]));
}
