import { localFrameAt, motionBetween, type LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { Paint, TilePrimitive } from '../../models/glb/write-feature-tile.ts';
import { unionOfRegions, type Region } from '../../models/region.ts';
import type { Shape, ShapeMesh } from '../shape/shape.ts';

/** A feature of a tile in the representation that it has there. */
export interface TileFeature {
  readonly shape: Shape;
  readonly mesh: ShapeMesh;
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

/**
 * Moves all features into the frame of the tile and sorts their faces by paint.
 * @param paintOf tells how a face of a feature is drawn
 */
export function tilePrimitives(
  features: readonly TileFeature[],
  frame: LocalFrame,
  {
    paints,
    paintOf,
  }: { readonly paints: readonly Paint[]; readonly paintOf: (feature: number, face: number) => PaintedFace },
): TilePrimitive[] {
  const sizes = paints.map(() => ({ vertices: 0, indices: 0 }));
  const painted = features.map(({ mesh: { vertexEnds, indexEnds } }, feature) => {
    const faces: PaintedFace[] = [];
    let [firstVertex, firstIndex] = [0, 0];
    for (let face = 0; face < vertexEnds.length; face++) {
      const one = paintOf(feature, face);
      const size = sizes[one.paint]!;
      size.vertices += vertexEnds[face]! - firstVertex;
      size.indices += indexEnds[face]! - firstIndex;
      firstVertex = vertexEnds[face]!;
      firstIndex = indexEnds[face]!;
      faces.push(one);
    }
    return faces;
  });
  const primitives = sizes.map(({ vertices, indices }, paint) => ({
    paint: paints[paint]!,
    positions: new Float64Array(vertices * 3),
    normals: new Float32Array(vertices * 4),
    colours: new Uint8Array(vertices * 4),
    uvs: new Float32Array(vertices * 2),
    features: new Uint16Array(vertices),
    indices: new Uint32Array(indices),
    vertexCount: 0,
    indexCount: 0,
  }));
  for (const [number, { shape, mesh }] of features.entries()) {
    const { lon, lat, height } = shape.place;
    const { rotation, translation } = motionBetween(localFrameAt(lon, lat, height), frame);
    const [rowEast, rowNorth, rowUp] = rotation;
    const { positions, normals } = mesh;
    let [first, index] = [0, 0];
    const faces = painted[number]!;
    for (let face = 0; face < faces.length; face++) {
      const { paint, colour, uvs } = faces[face]!;
      const target = primitives[paint]!;
      const end = mesh.vertexEnds[face]!;
      const shift = target.vertexCount - first;
      for (let i = first; i < end; i++) {
        const [x, y, z] = [positions[i * 3]!, positions[i * 3 + 1]!, positions[i * 3 + 2]!];
        const at = target.vertexCount++;
        target.positions[at * 3] = rowEast[0] * x + rowEast[1] * y + rowEast[2] * z + translation[0];
        target.positions[at * 3 + 1] = rowUp[0] * x + rowUp[1] * y + rowUp[2] * z + translation[2];
        target.positions[at * 3 + 2] = -(
          rowNorth[0] * x +
          rowNorth[1] * y +
          rowNorth[2] * z +
          translation[1]
        );
        target.normals[at * 4] = normals[face * 3]!;
        target.normals[at * 4 + 1] = normals[face * 3 + 2]!;
        target.normals[at * 4 + 2] = -normals[face * 3 + 1]!;
        target.colours[at * 4] = colour[0];
        target.colours[at * 4 + 1] = colour[1];
        target.colours[at * 4 + 2] = colour[2];
        target.colours[at * 4 + 3] = colour[3];
        if (uvs !== undefined) {
          target.uvs[at * 2] = uvs[(i - first) * 2]!;
          target.uvs[at * 2 + 1] = uvs[(i - first) * 2 + 1]!;
        }
        target.features[at] = number;
      }
      first = end;
      for (; index < mesh.indexEnds[face]!; index++)
        target.indices[target.indexCount++] = mesh.indices[index]! + shift;
    }
  }
  return primitives
    .filter(({ indices }) => indices.length > 0)
    .map(({ paint, positions, normals, colours, uvs, features: numbers, indices }): TilePrimitive => ({
      paint,
      positions,
      normals,
      colours: paint.page === undefined ? colours : undefined,
      uvs: paint.page === undefined ? undefined : uvs,
      features: numbers,
      indices,
    }));
}
