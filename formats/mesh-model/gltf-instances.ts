import type { Vector } from '@platen/geo/geodesy/geocentric';
import { compose, type Matrix, type Placement } from '@platen/geo/geodesy/matrix';
import { asIndex, asObject, asObjects } from '../json/read-values.ts';
import type { Gltf, GltfNode } from '../mesh/gltf.ts';
import { readAccessor, type AccessorReading } from '../mesh/read-accessor.ts';
import { rowOf, type FeatureRows } from './feature-ids.ts';

/** A place of the mesh of a node, within the node. */
export interface GltfInstance {
  readonly matrix: Matrix;
  /** Its row; -1 without one. */
  readonly feature: number;
}

/** Instances of one file; more do not fit into memory. */
const maxInstances = 1_000_000;

/** The places by EXT_mesh_gpu_instancing, with EXT_instance_features. Undefined if the node is no such one. */
export async function readGltfInstances(
  gltf: Gltf,
  { extensions }: GltfNode,
  rows: FeatureRows,
  accessors: AccessorReading,
): Promise<readonly GltfInstance[] | undefined> {
  const attributes = asObject(asObject(extensions['EXT_mesh_gpu_instancing'])?.['attributes']);
  if (attributes === undefined) return undefined;
  const read = async (name: string, width: number): Promise<Float64Array | undefined> => {
    const number = asIndex(attributes[name]);
    return number === undefined ? undefined : readAccessor(gltf, number, width, accessors);
  };
  const translations = await read('TRANSLATION', 3);
  const rotations = await read('ROTATION', 4);
  const scales = await read('SCALE', 3);
  const lengths = [
    translations && translations.length / 3,
    rotations && rotations.length / 4,
    scales && scales.length / 3,
  ];
  const count = Math.min(maxInstances, ...lengths.filter((length) => length !== undefined));
  if (!Number.isFinite(count) || lengths.every((length) => length === undefined)) return [];
  const [set] = asObjects(asObject(extensions['EXT_instance_features'])?.['featureIds']);
  const attribute = asIndex(set?.['attribute']);
  const ids = attribute === undefined ? undefined : await read(`_FEATURE_ID_${attribute}`, 1);
  return Array.from({ length: count }, (_, i): GltfInstance => ({
    matrix: compose({
      translation: vectorAt<Vector>(translations, i, [0, 0, 0]),
      rotation: vectorAt<Placement['rotation']>(rotations, i, [0, 0, 0, 1]),
      scale: vectorAt<Vector>(scales, i, [1, 1, 1]),
    }),
    feature: set === undefined ? -1 : rowOf(set, ids?.[i] ?? i, rows),
  }));
}

function vectorAt<V extends readonly number[]>(values: Float64Array | undefined, i: number, otherwise: V): V {
  const width = otherwise.length;
  return values === undefined
    ? otherwise
    : ([...values.subarray(i * width, (i + 1) * width)] as unknown as V);
}
