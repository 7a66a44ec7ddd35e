import { coordinatesAt, pointType } from '../shape/shape.ts';
import { createInt32Buffer, reserveSpace, type Int32Buffer } from '../shape/int32-buffer.ts';
import { worldBits } from '../tile/world-grid.ts';
import { createClusterCells, type ClusterCells } from './cluster-cells.ts';
import { createClusterRecord } from './cluster-record.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { shapeOf } from './feature-record.ts';
import type { TileFeatures } from './tile-features.ts';

export interface PointClusters {
  /** Attribute names of the records, followed by those of clusters. */
  readonly keys: readonly string[];
  /** The features with clusters in place of the points they replace; the same features if there are none. */
  replacePoints(z: number, x: number, y: number, features: TileFeatures): TileFeatures;
  /** Number of clusters in the last result. */
  readonly count: number;
}

export interface PointClustersOptions {
  readonly extent: number;
  readonly buffer: number;
  readonly layers: readonly { readonly cluster?: ClusterOptions | undefined }[];
  readonly keys: readonly string[];
}

/**
 * Replaces points that share a grid cell by a cluster. Cells divide a tile evenly, so neighbouring tiles share the
 * grid, every point counts in one cell of one tile, and each cluster lies, at the mean position of its points, in that
 * tile. It takes the place of the first of its points in the order of features.
 */
export function createPointClusters({ extent, buffer, layers, keys }: PointClustersOptions): PointClusters {
  const record = createClusterRecord(keys, layers);
  const cells = layers.map(({ cluster }) =>
    cluster === undefined ? undefined : createClusterCells({ extent, buffer, cluster, keys }),
  );
  const lastZoom = Math.max(-1, ...layers.map(({ cluster }) => cluster?.maxZoom ?? -1));
  const rest = createInt32Buffer(1 << 10);
  let clusters = 0;

  /** The cells of a record's layer, if its points are clustered at this zoom. */
  const cellsOf = ({ words }: Int32Buffer, at: number, zoom: number): ClusterCells | undefined => {
    const head = words[at + 1]!;
    if ((head & 3) !== pointType) return undefined;
    const zooms = words[at + 6]!;
    if (zoom < (zooms & 255) || zoom > zooms >> 8) return undefined;
    const found = cells[head >> 3];
    return found !== undefined && zoom <= found.maxZoom ? found : undefined;
  };
  /** Visits a record without its clustered points, and the clusters whose first point it holds. */
  const visitClustered = (
    own: ClusterCells,
    { store, at, shape }: { store: Int32Buffer; at: number; shape: number },
    visit: Parameters<TileFeatures['each']>[0],
  ): void => {
    const { words } = store;
    const from = coordinatesAt(words, shape);
    const count = words[shape + 6]!;
    let singles = 0;
    for (let i = 0; i < count; i++) {
      const cell = own.find(words[from + i * 2]!, words[from + i * 2 + 1]!);
      if (cell < 0) continue;
      if (!own.isCluster(cell)) singles++;
      else if (own.isFirst(cell)) {
        visit(record.store, record.write(words[at + 1]! >> 3, own, cell), record.shape);
      }
    }
    if (singles === count) visit(store, at, shape);
    else if (singles > 0) visit(rest, 0, copySingles(own, store, at, shape));
  };
  const copySingles = (own: ClusterCells, { words }: Int32Buffer, at: number, shape: number): number => {
    const head = shapeOf(words, at) - at;
    const from = coordinatesAt(words, shape);
    const count = words[shape + 6]!;
    rest.length = 0;
    reserveSpace(rest, head + words[shape]!);
    rest.words.set(words.subarray(at, at + head));
    rest.words.set(words.subarray(shape, from), head);
    let to = coordinatesAt(rest.words, head);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const x = words[from + i * 2]!;
      const y = words[from + i * 2 + 1]!;
      const cell = own.find(x, y);
      if (cell < 0 || own.isCluster(cell)) continue;
      rest.words[to++] = x;
      rest.words[to++] = y;
      kept++;
    }
    endPoints(rest.words, head, kept);
    return head;
  };

  return {
    keys: record.keys,
    get count() {
      return clusters;
    },
    replacePoints(z, x, y, features) {
      clusters = 0;
      if (z > lastZoom) return features;
      const side = 2 ** (worldBits - z);
      for (const each of cells) each?.begin(x * side, y * side, side);
      features.each((store, at, shape) => {
        cellsOf(store, at, z)?.count(store, at, shape);
      });
      clusters = cells.reduce((sum, each) => sum + (each?.clusters ?? 0), 0);
      if (clusters === 0) return features;
      return {
        each(visit) {
          for (const each of cells) each?.rewind();
          features.each((store, at, shape) => {
            const own = cellsOf(store, at, z);
            if (own === undefined) visit(store, at, shape);
            else visitClustered(own, { store, at, shape }, visit);
          });
        },
      };
    },
  };
}

/** Changes the number of points in a shape; data behind the coordinates is not kept. */
function endPoints(words: Int32Array, shape: number, count: number): void {
  words[shape + 6] = count;
  words[shape + 7] = count * 2;
}
