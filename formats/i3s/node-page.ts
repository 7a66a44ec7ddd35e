import { asArray, asIndex, asNumbers, asObject, asObjects } from '../json/read-values.ts';

/** A node of I3S 1.7 and later, or of a point cloud, which also has `vertexCount`. */
export interface SceneNode {
  readonly index: number;
  readonly childCount: number;
  readonly vertexCount: number;
  readonly featureCount: number;
  /** Number of its geometry resource: `nodes/<resource>/geometries/0`. */
  readonly geometryResource: number | undefined;
  /** Centre of its box, in the CRS of the layer. */
  readonly center: readonly number[] | undefined;
  readonly hasTexture: boolean;
}

/** @param value a parsed nodepages/<n> of which nothing is known */
export function readNodePage(value: unknown, firstIndex: number): SceneNode[] | undefined {
  const nodes = asArray(asObject(value)?.['nodes']);
  if (nodes === undefined) return undefined;
  return asObjects(nodes).map((node, i) => {
    const mesh = asObject(node?.['mesh']);
    const geometry = asObject(mesh?.['geometry']);
    return {
      index: asIndex(node?.['index']) ?? firstIndex + i,
      childCount: asArray(node?.['children'])?.length ?? asIndex(node?.['childCount']) ?? 0,
      vertexCount: asIndex(geometry?.['vertexCount']) ?? asIndex(node?.['vertexCount']) ?? 0,
      featureCount: asIndex(geometry?.['featureCount']) ?? 0,
      geometryResource: asIndex(geometry?.['resource']),
      center: asNumbers(asObject(node?.['obb'])?.['center'], 3),
      hasTexture: asIndex(asObject(mesh?.['material'])?.['resource']) !== undefined,
    };
  });
}
