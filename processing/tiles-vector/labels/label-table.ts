import type { LabelBoxes } from '@platen/geo/mvt/label-zooms';

export interface Label {
  readonly x: number;
  readonly y: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly firstZoom: number;
  /** Lower ones are more important; NaN if there is none. */
  readonly ranks: readonly number[];
}

/** Labels in the order of the input, as columns that grow. */
export interface LabelTable {
  readonly boxes: LabelBoxes;
  add(label: Label): void;
  /** Indices of all labels, the most important first; equal ones in the order of the input. */
  order(): Int32Array;
}

/** Bytes of a label with its ranks: the table while it grows, and what `labelZooms` needs. */
export const bytesPerLabel = (ranks: number): number => 44 + 16 * ranks;

export function createLabelTable(rankCount: number): LabelTable {
  let x = new Int32Array(1024);
  let y = new Int32Array(1024);
  let width = new Uint16Array(1024);
  let height = new Uint16Array(1024);
  let firstZoom = new Uint8Array(1024);
  let ranks = Array.from({ length: rankCount }, () => new Float64Array(1024));
  let count = 0;

  const grow = (): void => {
    x = doubled(x);
    y = doubled(y);
    width = doubled(width);
    height = doubled(height);
    firstZoom = doubled(firstZoom);
    ranks = ranks.map(doubled);
  };
  return {
    get boxes() {
      return { count, x, y, width, height, firstZoom };
    },
    add(label) {
      if (count === x.length) grow();
      x[count] = label.x;
      y[count] = label.y;
      width[count] = label.width;
      height[count] = label.height;
      firstZoom[count] = label.firstZoom;
      for (const [i, column] of ranks.entries()) column[count] = label.ranks[i]!;
      count++;
    },
    order() {
      return Int32Array.from({ length: count }, (_, i) => i).sort((one, other) => {
        for (const column of ranks) {
          const difference = compareRanks(column[one]!, column[other]!);
          if (difference !== 0) return difference;
        }
        return one - other;
      });
    },
  };
}

function compareRanks(one: number, other: number): number {
  if (Number.isNaN(one) || Number.isNaN(other))
    return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
  return one < other ? -1 : one > other ? 1 : 0;
}

function doubled<T extends Int32Array | Uint16Array | Uint8Array | Float64Array>(column: T): T {
  const larger = new (column.constructor as new (length: number) => T)(column.length * 2);
  larger.set(column);
  return larger;
}
