import type { AttributeValue } from '@platen/formats/city-object/city-object';
import type { Region } from '../../models/region.ts';
import type { Place } from '../place/place-object.ts';

/** Triangles of an object in metres east, north and up of its place. Each face has vertices of its own. */
export interface ShapeMesh {
  /** x, y, z of each vertex. */
  readonly positions: Float32Array;
  /** u, v of each vertex, v upwards; NaN without. Undefined if no face has an image. */
  readonly uvs: Float32Array | undefined;
  readonly indices: Uint32Array;
  /** Number of vertices up to the end of each face. */
  readonly vertexEnds: Uint32Array;
  /** Number of indices up to the end of each face. */
  readonly indexEnds: Uint32Array;
  /** x, y, z of each face. */
  readonly normals: Float32Array;
  /** The number of the role of each face. */
  readonly roles: Uint8Array;
  /** The number of the look of each face; -1 without one. */
  readonly looks: Int32Array;
}

/** A face of the ground, seen from above. */
export interface Outline {
  /** x, y of each vertex. */
  readonly vertices: ArrayLike<number>;
  /** Counter-clockwise seen from above. */
  readonly triangles: ArrayLike<number>;
  /** Two vertices of each edge at the border, the outside to the right. */
  readonly edges: ArrayLike<number>;
}

/** Walls along the edges of an outline, a flat roof, and below it the same if nothing else closes it. */
export interface Prism extends Outline {
  readonly bottom: number;
  readonly top: number;
  readonly hasGround: boolean;
  /** Numbers of looks; -1 without. */
  readonly wallLook: number;
  readonly roofLook: number;
}

/** One way to draw an object. */
export type Representation = MeshForm | PrismForm;

interface Form {
  /** How far it is from the object, in metres. */
  readonly error: number;
  readonly triangles: number;
  readonly hasImages: boolean;
}

export interface MeshForm extends Form {
  readonly mesh: ShapeMesh;
  readonly prism?: undefined;
}

export interface PrismForm extends Form {
  readonly mesh?: undefined;
  readonly prism: Prism;
}

/** How faces look that are not coloured by what they are. */
export type ShapeLook =
  | { readonly colour: readonly [red: number, green: number, blue: number, alpha: number] }
  | {
      /** The number of an image of the job. */
      readonly image: number;
      readonly repeats: boolean;
      /** Image coordinates count pixels from its upper left corner. */
      readonly inPixels?: true;
    };

/** A feature of the tileset, ready to be drawn in each of its representations. Plain data. */
export interface Shape {
  readonly id: string;
  readonly class: string;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly place: Place;
  /** West, south, east, north in degrees, and the lowest and highest height above the ellipsoid in metres. */
  readonly region: Region;
  readonly looks: readonly ShapeLook[];
  /** From the finest to the coarsest. */
  readonly representations: readonly Representation[];
  /** The error of leaving it out, in metres. */
  readonly goneError: number;
}

/** The shape with some things changed; what is read where it is asked for is no property of its own. */
export function withChanges(shape: Shape, changes: Partial<Shape>): Shape {
  const { id, class: name, attributes, place, region, looks, representations, goneError } = shape;
  return { id, class: name, attributes, place, region, looks, representations, goneError, ...changes };
}

export const represent = (error: number, mesh: ShapeMesh): MeshForm => ({
  error,
  triangles: mesh.indices.length / 3,
  hasImages: mesh.uvs !== undefined,
  mesh,
});
