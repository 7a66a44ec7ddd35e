import { asIndex, asObject, asObjects, type JsonObject } from '../json/read-values.ts';
import type { Gltf, GltfPrimitive } from '../mesh/gltf.ts';
import { readAccessor, type AccessorReading } from '../mesh/read-accessor.ts';

/** Rows of attributes, which features are numbers of. */
export interface FeatureRows {
  /** The number of the first row of each property table; of a b3dm, of its batch table. */
  readonly firstRows: readonly number[];
  readonly count: number;
}

/**
 * The row of each vertex, by EXT_mesh_features or the batch ids of 3D Tiles 1.0; -1 where it has none. Undefined if no
 * vertex has one. Of several sets, that with a table counts.
 */
export async function readFeatureIds(
  gltf: Gltf,
  primitive: GltfPrimitive,
  vertices: number,
  {
    rows,
    accessors,
    onUnsupported,
  }: {
    readonly rows: FeatureRows;
    readonly accessors: AccessorReading;
    readonly onUnsupported: (what: string) => void;
  },
): Promise<Int32Array | undefined> {
  const sets = asObjects(asObject(primitive.extensions['EXT_mesh_features'])?.['featureIds']);
  const set = sets.find((one) => asIndex(one?.['propertyTable']) !== undefined) ?? sets[0];
  const old = asIndex(primitive.attributes['_BATCHID']) ?? asIndex(primitive.attributes['BATCHID']);
  if (set === undefined && old === undefined) return undefined;
  if (set?.['texture'] !== undefined) {
    onUnsupported('feature ids in a texture');
    return undefined;
  }
  const attribute = asIndex(set?.['attribute']);
  const number = set === undefined ? old : asIndex(primitive.attributes[`_FEATURE_ID_${attribute}`]);
  const isImplicit = set !== undefined && attribute === undefined;
  const values = number === undefined ? undefined : await readAccessor(gltf, number, 1, accessors);
  if (values === undefined && !isImplicit) return undefined;
  const ids = new Int32Array(vertices).fill(-1);
  for (let vertex = 0; vertex < vertices; vertex++)
    ids[vertex] = rowOf(set ?? {}, values === undefined ? vertex : (values[vertex] ?? -1), rows);
  return ids;
}

/** The row of a feature of a set; -1 if it is none. */
export function rowOf(set: JsonObject, featureId: number, { firstRows, count }: FeatureRows): number {
  const id = Math.round(featureId);
  if (id < 0 || id === asIndex(set['nullFeatureId'])) return -1;
  const row = (firstRows[asIndex(set['propertyTable']) ?? 0] ?? 0) + id;
  return row < count ? row : -1;
}

/** The most features of the sets of a glTF that has no table. */
export function countFeatures({ meshes, nodes }: Gltf): number {
  const extensions = [
    ...meshes.flat().map((primitive) => primitive.extensions['EXT_mesh_features']),
    ...nodes.map((node) => node.extensions['EXT_instance_features']),
  ];
  const sets = extensions.flatMap((one) => asObjects(asObject(one)?.['featureIds']));
  return sets.reduce((max, set) => Math.max(max, asIndex(set?.['featureCount']) ?? 0), 0);
}
