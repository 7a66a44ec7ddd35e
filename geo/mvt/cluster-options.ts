/** What becomes of an attribute of the points in a cluster. Only numbers count, but for `count`: any value. */
export type Aggregate = 'sum' | 'min' | 'max' | 'mean' | 'count';

export interface ClusterOptions {
  /** In tile units: points that lie closer to each other are in a cluster, unless a cell's edge is between them. */
  readonly distance: number;
  /** The last zoom that has clusters. */
  readonly maxZoom: number;
  /** Fewer points remain what they are. */
  readonly minPoints: number;
  /** By the name of the cluster's attribute: what it tells of which attribute of its points. */
  readonly aggregates: Readonly<Record<string, readonly [Aggregate, attribute: string]>>;
}

/** How many cells a tile is wide: the grid fits into the tile, so the distance is met as nearly as it can be. */
export function cellsAcross(distance: number, extent: number): number {
  return Math.max(1, Math.round(extent / distance));
}

export interface MarginOptions {
  readonly extent: number;
  readonly buffer: number;
  readonly layers: readonly { readonly cluster?: ClusterOptions | undefined }[];
}

/**
 * What of the features beyond its edges a tile must be given, in tile units: the buffer and a unit for what rounding
 * moves inside; and the whole of each cluster's cell that the buffer has a part of.
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
