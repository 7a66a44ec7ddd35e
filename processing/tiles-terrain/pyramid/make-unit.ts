import { shrinkCells } from '@platen/geo/terrain/shrink-cells';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
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
        const line = cells.subarray(start, start + side);
        block.set(line, row * side);
        hasValues ||= line.some((value) => value === value);
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

/** A block from the four below it; undefined if none has data. */
export function shrinkFour(
  side: number,
  below: (quarter: number) => Float32Array | undefined,
): Float32Array | undefined {
  let block: Float32Array | undefined;
  for (let quarter = 0; quarter < 4; quarter++) {
    const cells = below(quarter);
    if (cells === undefined) continue;
    block ??= new Float32Array(side * side).fill(NaN);
    shrinkCells(cells, block, quarter);
  }
  return block;
}

export function emptyBlocks(unit: BlockPlace, layer: ZoomLayer): Blocks {
  return Array.from({ length: [...blocksOfUnit(unit, layer)].length }, () => undefined);
}
