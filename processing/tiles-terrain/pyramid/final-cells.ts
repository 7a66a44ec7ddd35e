import { LRUCache } from 'lru-cache';
import { blendOutside } from '@platen/geo/terrain/blend-outside';
import { cellState, createHoleFiller, type FilledBlock } from '@platen/geo/terrain/fill-holes';
import {
  blockCounts,
  latitudeOfCell,
  longitudeOfCell,
  type BlockPlace,
} from '@platen/geo/terrain/height-grid';
import type { BlockStore } from './block-store.ts';
import { copyWindow } from './cell-window.ts';
import { filledBlockBytes } from '../memory.ts';
import { keyOf, type PyramidShape } from '../../raster-source/zoom-layers.ts';

export interface FinalCellsOptions {
  readonly shape: PyramidShape;
  readonly store: BlockStore;
  /** Cells of the base: wider holes stay. 0: none is filled. */
  readonly fillHoles: number;
  readonly cacheBytes: number;
}

/** Heights without holes. */
export interface FinalCells {
  /** A block and `margin` cells around it; NaN outside of the data. */
  filled(place: BlockPlace, margin: number): Float32Array;
  /** The same cells, with the outside at its height: a ramp of `blend` cells leads there. @param cells stay as they are */
  blended(cells: Float32Array, place: BlockPlace, margin: number, outside: Outside): Float32Array;
  /** What a block has of the zoom above to fill its holes from: half as many cells, and one more on every side. */
  above(place: BlockPlace): FilledBlock;
}

export interface Outside {
  readonly blend: number;
  readonly heightAt: (lon: number, lat: number) => number;
}

export function createFinalCells({
  shape,
  store,
  fillHoles: widest,
  cacheBytes,
}: FinalCellsOptions): FinalCells {
  const { grid, baseZoom } = shape;
  const { side } = grid;
  const nothing: FilledBlock = {
    heights: new Float32Array(side * side).fill(NaN),
    states: new Uint8Array(side * side),
  };
  const allMeasured = new Uint8Array(side * side).fill(cellState.measured);
  const known = new LRUCache<string, FilledBlock>({
    maxSize: Math.max(Math.ceil(cacheBytes), 16 * filledBlockBytes(side)),
    // most places outside share one block
    sizeCalculation: (block) => (block === nothing ? 256 : filledBlockBytes(side)),
  });
  const fillHoles = createHoleFiller();
  const filledBlock = (place: BlockPlace): FilledBlock => {
    const columns = blockCounts(grid, place.z)[0];
    const around = { ...place, x: ((place.x % columns) + columns) % columns };
    const key = keyOf(around);
    let block = known.get(key);
    if (block === undefined) known.set(key, (block = fill(around)));
    return block;
  };
  /** Cells that a hole may be wide. */
  const marginOf = ({ z }: BlockPlace): number => Math.min(side, Math.floor(widest / 2 ** (baseZoom - z)));
  // where no hole is narrow enough, none is at any zoom above
  const aboveOf = (place: BlockPlace): FilledBlock =>
    marginOf(place) === 0 || place.z === 0 ? nothingAbove(side) : windowAbove(place);
  const fill = (place: BlockPlace): FilledBlock => {
    const cells = store.block(place);
    if (cells !== undefined && !cells.includes(NaN)) return { heights: cells, states: allMeasured };
    const margin = marginOf(place);
    const above = aboveOf(place);
    const isAllOutside =
      !above.states.includes(cellState.filled) &&
      [-1, 0, 1].every((i) =>
        [-1, 0, 1].every((j) => !store.block({ ...place, x: place.x + i, y: place.y + j })),
      );
    if (isAllOutside) return nothing;
    const target = new Float32Array((side + 2 * margin) ** 2);
    const blockAt = (one: BlockPlace) => store.block(one);
    const window = copyWindow(place, { grid, margin, blockAt, target, empty: NaN });
    return fillHoles({ side, cells: window, margin, above });
  };
  /** The quarter of the block above that this one shrinks to, and a cell more on every side. */
  const windowAbove = ({ z, x, y }: BlockPlace): FilledBlock => {
    const parent = { z: z - 1, x: x >> 1, y: y >> 1 };
    const whole = side + 2;
    const all = { grid, margin: 1 };
    const heights = copyWindow(parent, {
      ...all,
      blockAt: (one) => filledBlock(one).heights,
      target: new Float32Array(whole * whole),
      empty: NaN,
    });
    const states = copyWindow(parent, {
      ...all,
      blockAt: (one) => filledBlock(one).states,
      target: new Uint8Array(whole * whole),
      empty: 0,
    });
    const [left, top] = [((x & 1) * side) / 2, ((y & 1) * side) / 2];
    return { heights: crop(heights, [left, top], side), states: crop(states, [left, top], side) };
  };
  const filled = (place: BlockPlace, margin: number): Float32Array =>
    copyWindow(place, {
      grid,
      margin,
      blockAt: (one) => filledBlock(one).heights,
      target: new Float32Array((side + 2 * margin) ** 2),
      empty: NaN,
    });
  return {
    filled,
    above: aboveOf,
    blended(cells, place, margin, { blend, heightAt }) {
      if (!cells.includes(NaN)) return cells;
      const whole = new Float32Array(cells.length);
      const wide = Math.min(side, margin + blend);
      const all = filled(place, wide);
      const width = side + 2 * wide;
      const { z, x, y } = place;
      const inner = side + 2 * margin;
      const lons = Float64Array.from({ length: width }, (_, i) =>
        longitudeOfCell(grid, z, x * side + i - wide),
      );
      const lats = Float64Array.from({ length: width }, (_, i) =>
        latitudeOfCell(grid, z, y * side + i - wide),
      );
      const outsideAt = (column: number, row: number): number => heightAt(lons[column]!, lats[row]!);
      if (all.every(Number.isNaN)) {
        const shift = wide - margin;
        for (let i = 0; i < whole.length; i++)
          whole[i] = outsideAt((i % inner) + shift, Math.floor(i / inner) + shift);
        return whole;
      }
      blendOutside(all, { side: width, blend, rim: wide - margin, outsideAt });
      for (let row = 0; row < inner; row++) {
        const start = (row + wide - margin) * width + wide - margin;
        whole.set(all.subarray(start, start + inner), row * inner);
      }
      return whole;
    },
  };
}

function nothingAbove(side: number): FilledBlock {
  const count = (side / 2 + 2) ** 2;
  return { heights: new Float32Array(count).fill(NaN), states: new Uint8Array(count) };
}

function crop<Cells extends Float32Array | Uint8Array>(
  cells: Cells,
  [left, top]: readonly [number, number],
  side: number,
): Cells {
  const [whole, part] = [side + 2, side / 2 + 2];
  const cropped = cells.slice(0, part * part) as Cells;
  for (let row = 0; row < part; row++) {
    const start = (top + row) * whole + left;
    cropped.set(cells.subarray(start, start + part), row * part);
  }
  return cropped;
}
