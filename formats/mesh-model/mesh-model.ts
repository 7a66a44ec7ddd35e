import type { Attributes } from '../city-object/city-object.ts';
import type { ModelPlace } from './model-place.ts';

/** Triangles that look alike. */
export interface MeshPart {
  /** x, y, z of each vertex. z is upwards in glTF; otherwise the axes are those of the file. */
  readonly positions: Float64Array;
  /** u, v of each vertex, v upwards. */
  readonly uvs: Float32Array | undefined;
  /** Red, green, blue and alpha of each vertex, in sRGB. */
  readonly colours: Uint8Array | undefined;
  readonly indices: Uint32Array;
  /** The number of a material; -1 without one. */
  readonly material: number;
  /** x, y, z of each vertex, where they are asked for and known. */
  readonly normals?: Float32Array | undefined;
  /** The number of the feature of each vertex among the rows of the model; -1 without one. Of tiles. */
  readonly features?: Int32Array | undefined;
}

/** A group of an OBJ, a node of a glTF, a product of an IFC, or all of a PLY or STL. */
export interface MeshObject {
  /** Empty if it has none. */
  readonly name: string;
  /** What it is, where the format says so: `IfcWall`. */
  readonly class?: string;
  readonly attributes: Attributes;
  readonly parts: readonly MeshPart[];
}

export interface MeshMaterial {
  /** Red, green, blue and alpha from 0 to 1, in sRGB. */
  readonly colour: readonly [red: number, green: number, blue: number, alpha: number] | undefined;
  /** The image as the file names it; `model.glb#2` is the third image within a glTF. */
  readonly image: string | undefined;
  readonly repeats: boolean;
  /** How alpha is drawn, where the file says so; opaque otherwise. */
  readonly alpha?: 'mask' | 'blend' | undefined;
  /** The least alpha that is drawn by a mask; 0.5 unless the file names another. */
  readonly cutoff?: number | undefined;
  /** Shown without light. */
  readonly isUnlit?: boolean | undefined;
}

export interface MeshModel {
  readonly objects: readonly MeshObject[];
  readonly materials: readonly MeshMaterial[];
  /** Undefined if it does not say where on earth it is, as only IFC does. */
  readonly place?: ModelPlace | undefined;
  /** Attributes of features, which parts name by their numbers. Of tiles. */
  readonly rows?: readonly Attributes[] | undefined;
}

/** What a reader leaves out. */
export type MeshNotice =
  | 'badPositions'
  | 'badIndices'
  | 'badPolygon'
  | 'missingFile'
  | 'missingNode'
  | 'circularNodes'
  | 'unsupportedPart'
  | 'truncated';

export interface MeshReading {
  /** Tells what is left out, with a detail. */
  readonly onNotice: (notice: MeshNotice, detail: string) => void;
  /**
   * Divides a polygon of four corners or more. @param positions x, y, z of each corner
   * @returns three corners of each triangle, none if it has no area
   */
  readonly triangulate: (positions: readonly number[]) => readonly number[];
}

/** Longer polygons are no polygons. */
export const maxCorners = 20_000;
/** Vertices and triangles of one file: more do not fit into memory. */
export const maxVertices = 60_000_000;
