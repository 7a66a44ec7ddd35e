import { coordinatesAt } from '../shape/shape.ts';
import type { Int32Buffer } from '../shape/int32-buffer.ts';
import { endOfValue, readAttributeValue, type AttributeValue } from './attributes.ts';
import { cellsAcross, type Aggregate, type ClusterOptions } from './cluster-options.ts';
import { recordHeaderWords, valuesAt } from './feature-record.ts';

/** The points of one layer that one tile may show, grouped by grid cell. */
export interface ClusterCells {
  readonly maxZoom: number;
  /** Number of cells with at least `minPoints` points. */
  readonly clusters: number;
  /** Arguments in world units. */
  begin(minX: number, minY: number, side: number): void;
  count(store: Int32Buffer, record: number, shape: number): void;
  /** The cell of a point; -1 outside the tile and its buffer. */
  find(x: number, y: number): number;
  isCluster(cell: number): boolean;
  /** True on the first call for each cell since `rewind`. */
  isFirst(cell: number): boolean;
  rewind(): void;
  points(cell: number): number;
  /** The mean position of its points, rounded down, in world units. */
  meanX(cell: number): number;
  meanY(cell: number): number;
  /** The n-th aggregate; undefined where no point has a value for it. */
  aggregate(cell: number, n: number): number | undefined;
}

export interface ClusterCellsOptions {
  readonly extent: number;
  readonly buffer: number;
  readonly cluster: ClusterOptions;
  readonly keys: readonly string[];
}

interface Aggregation {
  readonly key: number;
  readonly kind: Aggregate;
  /** Indexed by cell. */
  readonly values: number[];
  readonly counts: number[];
}

export function createClusterCells({ extent, buffer, cluster, keys }: ClusterCellsOptions): ClusterCells {
  const { distance, maxZoom, minPoints, aggregates } = cluster;
  const across = cellsAcross(distance, extent);
  const reach = Math.ceil((buffer * across) / extent);
  const width = across + 2 * reach;
  const aggregations = Object.values(aggregates).map(([kind, attribute]): Aggregation => ({
    key: keys.indexOf(attribute),
    kind,
    values: [],
    counts: [],
  }));
  const slots = new Map<number, number>();
  const counts: number[] = [];
  /** Relative to the tile, in world units: exact, and consistent between all tiles that see the cell. */
  const sumsX: number[] = [];
  const sumsY: number[] = [];
  const visited: number[] = [];
  let rounds = 0;
  let minX = 0;
  let minY = 0;
  let side = 1;
  let clusters = 0;

  const numberOf = (x: number, y: number): number => {
    const column = Math.floor(((x - minX) * across) / side) + reach;
    const row = Math.floor(((y - minY) * across) / side) + reach;
    return column < 0 || column >= width || row < 0 || row >= width ? -1 : row * width + column;
  };
  const slotOf = (cell: number): number => {
    let slot = slots.get(cell);
    if (slot !== undefined) return slot;
    slots.set(cell, (slot = counts.length));
    for (const numbers of [counts, sumsX, sumsY, visited]) numbers.push(0);
    for (const tally of aggregations) {
      tally.values.push(0);
      tally.counts.push(0);
    }
    return slot;
  };

  return {
    maxZoom,
    get clusters() {
      return clusters;
    },
    begin(x, y, tileSide) {
      minX = x;
      minY = y;
      side = tileSide;
      clusters = 0;
      slots.clear();
      for (const numbers of [counts, sumsX, sumsY, visited]) numbers.length = 0;
      for (const tally of aggregations) tally.values.length = tally.counts.length = 0;
    },
    count(store, record, shape) {
      const { words } = store;
      const from = coordinatesAt(words, shape);
      const end = from + words[shape + 6]! * 2;
      for (let at = from; at < end; at += 2) {
        const cell = numberOf(words[at]!, words[at + 1]!);
        if (cell < 0) continue;
        const slot = slotOf(cell);
        sumsX[slot]! += words[at]! - minX;
        sumsY[slot]! += words[at + 1]! - minY;
        if (++counts[slot]! === minPoints) clusters++;
        for (const tally of aggregations) aggregateValue(tally, slot, attributeOf(store, record, tally.key));
      }
    },
    find(x, y) {
      const cell = numberOf(x, y);
      return cell < 0 ? -1 : slots.get(cell)!;
    },
    isCluster: (cell) => counts[cell]! >= minPoints,
    isFirst(cell) {
      if (visited[cell] === rounds) return false;
      visited[cell] = rounds;
      return true;
    },
    rewind() {
      rounds++;
    },
    points: (cell) => counts[cell]!,
    meanX: (cell) => minX + Math.floor(sumsX[cell]! / counts[cell]!),
    meanY: (cell) => minY + Math.floor(sumsY[cell]! / counts[cell]!),
    aggregate(cell, n) {
      const { kind, values, counts: cellCounts } = aggregations[n]!;
      if (kind === 'count') return cellCounts[cell];
      if (cellCounts[cell] === 0) return undefined;
      return kind === 'mean' ? values[cell]! / cellCounts[cell]! : values[cell];
    },
  };
}

function aggregateValue(
  { kind, values, counts }: Aggregation,
  cell: number,
  value: AttributeValue | undefined,
): void {
  if (value === undefined) return;
  if (kind === 'count') counts[cell]!++;
  else if (typeof value === 'number') {
    const before = values[cell]!;
    const isFirst = counts[cell]!++ === 0;
    if (kind === 'min') values[cell] = isFirst ? value : Math.min(before, value);
    else if (kind === 'max') values[cell] = isFirst ? value : Math.max(before, value);
    else values[cell] = before + value;
  }
}

function attributeOf({ words, bytes }: Int32Buffer, record: number, key: number): AttributeValue | undefined {
  const count = words[record + 4]!;
  let start = valuesAt(words, record);
  for (let i = 0; i < count; i++) {
    if (words[record + recordHeaderWords + i * 2] === key) return readAttributeValue(bytes, start);
    start = endOfValue(bytes, start);
  }
  return undefined;
}
