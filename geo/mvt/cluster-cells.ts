import { coordinatesAt } from '../shape/shape.ts';
import type { Words } from '../shape/words.ts';
import { endOfValue, readAttributeValue, type AttributeValue } from './attributes.ts';
import { cellsAcross, type Aggregate, type ClusterOptions } from './cluster-options.ts';
import { recordHead, valuesAt } from './feature-record.ts';

/** The points of one layer that one tile may show, by the cells of its grid. */
export interface ClusterCells {
  readonly maxZoom: number;
  /** How many cells hold enough points. */
  readonly clusters: number;
  /** All in world units. */
  begin(minX: number, minY: number, side: number): void;
  count(store: Words, record: number, shape: number): void;
  /** The cell of a point; -1 if the tile has no part in it. */
  find(x: number, y: number): number;
  isCluster(cell: number): boolean;
  /** True once for each cell, until it is rewound. */
  isFirst(cell: number): boolean;
  rewind(): void;
  points(cell: number): number;
  /** The mean of its points, rounded down, in world units. */
  meanX(cell: number): number;
  meanY(cell: number): number;
  /** Of the n-th of the aggregates; undefined where no point has a value for it. */
  aggregate(cell: number, n: number): number | undefined;
}

export interface ClusterCellsOptions {
  readonly extent: number;
  readonly buffer: number;
  readonly cluster: ClusterOptions;
  readonly keys: readonly string[];
}

interface Tally {
  readonly key: number;
  readonly kind: Aggregate;
  /** By cell. */
  readonly values: number[];
  readonly counts: number[];
}

export function createClusterCells({ extent, buffer, cluster, keys }: ClusterCellsOptions): ClusterCells {
  const { distance, maxZoom, minPoints, aggregates } = cluster;
  const across = cellsAcross(distance, extent);
  const reach = Math.ceil((buffer * across) / extent);
  const width = across + 2 * reach;
  const tallies = Object.values(aggregates).map(([kind, attribute]): Tally => ({
    key: keys.indexOf(attribute),
    kind,
    values: [],
    counts: [],
  }));
  const slots = new Map<number, number>();
  const counts: number[] = [];
  /** Relative to the tile, in world units: exact, and the same in every tile that sees the cell but for whole tiles. */
  const sumsX: number[] = [];
  const sumsY: number[] = [];
  const shown: number[] = [];
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
    for (const numbers of [counts, sumsX, sumsY, shown]) numbers.push(0);
    for (const tally of tallies) {
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
    begin(x, y, ofSide) {
      minX = x;
      minY = y;
      side = ofSide;
      clusters = 0;
      slots.clear();
      for (const numbers of [counts, sumsX, sumsY, shown]) numbers.length = 0;
      for (const tally of tallies) tally.values.length = tally.counts.length = 0;
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
        for (const tally of tallies) add(tally, slot, attributeOf(store, record, tally.key));
      }
    },
    find(x, y) {
      const cell = numberOf(x, y);
      return cell < 0 ? -1 : slots.get(cell)!;
    },
    isCluster: (cell) => counts[cell]! >= minPoints,
    isFirst(cell) {
      if (shown[cell] === rounds) return false;
      shown[cell] = rounds;
      return true;
    },
    rewind() {
      rounds++;
    },
    points: (cell) => counts[cell]!,
    meanX: (cell) => minX + Math.floor(sumsX[cell]! / counts[cell]!),
    meanY: (cell) => minY + Math.floor(sumsY[cell]! / counts[cell]!),
    aggregate(cell, n) {
      const { kind, values, counts: of } = tallies[n]!;
      if (kind === 'count') return of[cell];
      if (of[cell] === 0) return undefined;
      return kind === 'mean' ? values[cell]! / of[cell]! : values[cell];
    },
  };
}

function add({ kind, values, counts }: Tally, cell: number, value: AttributeValue | undefined): void {
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

function attributeOf({ words, bytes }: Words, record: number, key: number): AttributeValue | undefined {
  const count = words[record + 4]!;
  let start = valuesAt(words, record);
  for (let i = 0; i < count; i++) {
    if (words[record + recordHead + i * 2] === key) return readAttributeValue(bytes, start);
    start = endOfValue(bytes, start);
  }
  return undefined;
}
