import { shrinkCells } from '@platen/geo/terrain/shrink-cells';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { KeptCells } from '../tasks.ts';
import { readBlock, readUnitIndex } from './unit-file.ts';
import {
  blocksOfUnit,
  indexInUnit,
  type PyramidShape,
  type ZoomLayer,
} from '../../raster-source/zoom-layers.ts';

export type Blocks = (Float32Array | undefined)[];

/** Divides a square of cells of the lowest zoom of a unit into its blocks. */
export function divideCells(
  cells: Float32Array,
  unit: BlockPlace,
  shape: PyramidShape,
  layer: ZoomLayer,
): Blocks {
  const { side } = shape.grid;
  const blocks: Blocks = emptyBlocks(unit, layer);
  const perSide = 2 ** (layer.bottomZoom - layer.rootZoom);
  const width = side * perSide;
  for (let y = 0; y < perSide; y++) {
    for (let x = 0; x < perSide; x++) {
      const block = new Float32Array(side * side);
      let hasValues = false;
      for (let row = 0; row < side; row++) {
        const start = (y * side + row) * width + x * side;
        block.set(cells.subarray(start, start + side), row * side);
        for (let i = start; i < start + side && !hasValues; i++) hasValues = !Number.isNaN(cells[i]!);
      }
      const place = { z: layer.bottomZoom, x: unit.x * perSide + x, y: unit.y * perSide + y };
      if (hasValues) blocks[indexInUnit(place, unit)] = block;
    }
  }
  return blocks;
}

/** Makes the blocks of the zooms above the lowest one of a unit, from those below them. */
export function shrinkBlocks(blocks: Blocks, unit: BlockPlace, shape: PyramidShape, layer: ZoomLayer): void {
  const places = [...blocksOfUnit(unit, layer)].filter(({ z }) => z < layer.bottomZoom).toReversed();
  for (const { z, x, y } of places)
    blocks[indexInUnit({ z, x, y }, unit)] = shrinkFour(
      shape.grid.side,
      (quarter) =>
        blocks[indexInUnit({ z: z + 1, x: 2 * x + (quarter & 1), y: 2 * y + (quarter >> 1) }, unit)],
    );
}

/** A block from the four below it, over what it has of them; undefined if none has data. */
export function shrinkFour(
  side: number,
  below: (quarter: number) => Float32Array | undefined,
  kept?: Float32Array,
): Float32Array | undefined {
  let block = kept;
  for (let quarter = 0; quarter < 4; quarter++) {
    const cells = below(quarter);
    if (cells === undefined) continue;
    block ??= new Float32Array(side * side).fill(NaN);
    shrinkCells(cells, block, quarter);
  }
  return block;
}

/** Whether all cells of the lowest zoom of a unit have data. */
export function isFullUnit(blocks: Blocks, unit: BlockPlace, layer: ZoomLayer): boolean {
  return [...blocksOfUnit(unit, layer)].every((place) => {
    if (place.z < layer.bottomZoom) return true;
    const block = blocks[indexInUnit(place, unit)];
    return block !== undefined && !block.includes(NaN);
  });
}

/** Takes the cells of some units below out of the blocks that a former run has made. */
export function keepQuarters(
  blocks: Blocks,
  { range, below }: KeptCells,
  {
    unit,
    layer: { bottomZoom },
    side,
  }: { readonly unit: BlockPlace; readonly layer: ZoomLayer; readonly side: number },
): void {
  const index = readUnitIndex(range, blocks.length);
  const read = new Map<number, Float32Array>();
  for (const key of below) {
    const [, x, y] = key.split('/').map(Number) as [number, number, number];
    const number = indexInUnit({ z: bottomZoom, x: x >> 1, y: y >> 1 }, unit);
    const former = read.get(number) ?? readBlock(index, number)!;
    read.set(number, former);
    const block = (blocks[number] ??= new Float32Array(side * side).fill(NaN));
    const half = side / 2;
    for (let row = 0; row < half; row++) {
      const start = ((y & 1) * half + row) * side + (x & 1) * half;
      block.set(former.subarray(start, start + half), start);
    }
  }
}

export function emptyBlocks(unit: BlockPlace, layer: ZoomLayer): Blocks {
  return Array.from({ length: [...blocksOfUnit(unit, layer)].length }, () => undefined);
}
