import { blockCounts, type BlockPlace, type HeightGrid } from '@platen/geo/terrain/height-grid';
import type { TileRange } from '@platen/formats/quantized-mesh/layer-json';

type Run = readonly [from: number, to: number];

/** Tiles of one zoom: by row, the runs of columns in ascending order. */
export type ZoomRows = ReadonlyMap<number, readonly Run[]>;

/** Which tiles there are, by zoom. */
export interface TileSet {
  readonly zooms: readonly ZoomRows[];
  /** Ranges of tiles, with rows from the south. @param within a tile: only those below it */
  ranges(z: number, within?: BlockPlace): TileRange[];
  readonly count: number;
}

/** Collects the blocks that have data. */
export interface TileCollector {
  add(place: BlockPlace): void;
  /** Adds a tile that needs none around it. */
  addAlone(place: BlockPlace): void;
  /** @param margin whether the tiles around those with data belong to the set. @param maxZoom the highest zoom of the set */
  finish(options: {
    readonly margin: boolean;
    readonly maxZoom: number;
    readonly withRoots: boolean;
  }): TileSet;
}

export function createTileCollector(grid: HeightGrid): TileCollector {
  const zooms: Map<number, Run[]>[] = [];
  const alone: Map<number, Run[]>[] = [];
  const addTo = (target: Map<number, Run[]>[], { z, x, y }: BlockPlace): void => {
    const rows = (target[z] ??= new Map());
    const runs = rows.get(y);
    if (runs === undefined) rows.set(y, [[x, x]]);
    else if (runs.at(-1)![1] === x - 1) runs[runs.length - 1] = [runs.at(-1)![0], x];
    else runs.push([x, x]);
  };
  return {
    add: (place) => addTo(zooms, place),
    addAlone: (place) => addTo(alone, place),
    finish({ margin, maxZoom, withRoots }) {
      const all = Array.from({ length: maxZoom + 1 }, (_, z) => {
        const rows = zooms[z] ?? new Map<number, Run[]>();
        const own = margin ? widen(rows, grid, z) : new Map([...rows].map(([y, runs]) => [y, merge(runs)]));
        for (const [y, runs] of alone[z] ?? []) own.set(y, merge([...(own.get(y) ?? []), ...runs]));
        return own;
      });
      if (withRoots) all[0] = new Map([[0, [[0, blockCounts(grid, 0)[0] - 1]]]]);
      return tileSetOf(all, grid);
    },
  };
}

function widen(rows: ReadonlyMap<number, readonly Run[]>, grid: HeightGrid, z: number): Map<number, Run[]> {
  const [columns, count] = blockCounts(grid, z);
  const wide = new Map<number, Run[]>();
  for (const [y, runs] of rows) {
    for (let row = Math.max(0, y - 1); row <= Math.min(count - 1, y + 1); row++) {
      const target = wide.get(row) ?? [];
      wide.set(row, target);
      for (const [from, to] of runs) target.push(...around([from - 1, to + 1], columns));
    }
  }
  for (const [y, runs] of wide) wide.set(y, merge(runs));
  return wide;
}

/** Parts of a run that goes beyond the antimeridian. */
function around([from, to]: Run, columns: number): Run[] {
  if (to - from + 1 >= columns) return [[0, columns - 1]];
  if (from < 0) {
    return [
      [0, to],
      [from + columns, columns - 1],
    ];
  }
  if (to >= columns) {
    return [
      [0, to - columns],
      [from, columns - 1],
    ];
  }
  return [[from, to]];
}

function merge(runs: readonly Run[]): Run[] {
  const merged: Run[] = [];
  for (const [from, to] of runs.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1)
      merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    else merged.push([from, to]);
  }
  return merged;
}

function tileSetOf(zooms: readonly ZoomRows[], grid: HeightGrid): TileSet {
  let count = 0;
  for (const rows of zooms)
    for (const runs of rows.values()) for (const [from, to] of runs) count += to - from + 1;
  return {
    zooms,
    count,
    ranges(z, within) {
      const rows = zooms[z] ?? new Map<number, readonly Run[]>();
      const last = blockCounts(grid, z)[1] - 1;
      const scale = within === undefined ? 0 : 2 ** (z - within.z);
      const ranges: TileRange[] = [];
      let open = new Map<string, { startX: number; endX: number; endY: number; startY: number }>();
      for (const y of [...rows.keys()].toSorted((a, b) => a - b)) {
        if (within !== undefined && Math.floor(y / scale) !== within.y) continue;
        const next: typeof open = new Map();
        for (const run of rows.get(y)!) {
          const startX = Math.max(run[0], within === undefined ? 0 : within.x * scale);
          const endX = Math.min(run[1], within === undefined ? Infinity : (within.x + 1) * scale - 1);
          if (startX > endX) continue;
          const row = last - y;
          const above = open.get(`${startX} ${endX}`);
          const range = above?.startY === row + 1 ? above : { startX, startY: row, endX, endY: row };
          if (range !== above) ranges.push(range);
          range.startY = row;
          next.set(`${startX} ${endX}`, range);
        }
        open = next;
      }
      return ranges;
    },
  };
}
