/**
 * How an attribute of the points in a cluster is aggregated. Only numbers count, except for `count`, which counts any
 * value.
 */
export type Aggregate = 'sum' | 'min' | 'max' | 'mean' | 'count';

export interface ClusterOptions {
  /** In tile units. Points closer to each other are clustered, unless a cell border runs between them. */
  readonly distance: number;
  /** The last zoom that has clusters. */
  readonly maxZoom: number;
  /** Cells with fewer points keep them as they are. */
  readonly minPoints: number;
  /** For each attribute of the cluster: the aggregate and the attribute of the points. */
  readonly aggregates: Readonly<Record<string, readonly [Aggregate, attribute: string]>>;
}

/** Number of cells across a tile. The grid divides the tile evenly, so the distance is met approximately. */
export function cellsAcross(distance: number, extent: number): number {
  return Math.max(1, Math.round(extent / distance));
}

export interface MarginOptions {
  readonly extent: number;
  readonly buffer: number;
  readonly layers: readonly { readonly cluster?: ClusterOptions | undefined }[];
}

/**
 * How far beyond its edges a tile needs features, in tile units: the buffer plus a unit that rounding may move inside;
 * and the whole cell of each cluster that the buffer overlaps.
 */
export function tileMargin({ extent, buffer, layers }: MarginOptions, z: number): number {
  let margin = buffer + 1;
  for (const { cluster } of layers) {
    if (cluster === undefined || z > cluster.maxZoom) continue;
    const cell = extent / cellsAcross(cluster.distance, extent);
    margin = Math.max(margin, Math.ceil(buffer / cell) * cell);
  }
  return margin;
}
