import { LRUCache } from 'lru-cache';
import { blockCounts, type BlockPlace } from '@platen/geo/terrain/height-grid';
import type { FileRange } from '../../kit/scratch-file.ts';
import { readBlock, readUnitIndex, type UnitIndex } from './unit-file.ts';
import {
  indexInUnit,
  keyOf,
  layerOfZoom,
  layersOf,
  unitOf,
  type PyramidShape,
} from '../../raster-source/zoom-layers.ts';

/** The blocks of the pyramid, in scratch files. */
export interface BlockStore {
  /** Says where units are: those that the next blocks belong to. */
  know(units: readonly (readonly [key: string, range: FileRange])[]): void;
  /** Undefined where there is no data. Columns go around the Earth. */
  block(place: BlockPlace): Float32Array | undefined;
}

const maxIndexes = 256;

export function openBlockStore(shape: PyramidShape, cacheBytes: number): BlockStore {
  const layers = layersOf(shape);
  const ranges = new LRUCache<string, FileRange>({ max: 4096 });
  const indexes = new LRUCache<string, UnitIndex>({ max: maxIndexes });
  const blockBytes = shape.grid.side ** 2 * 4;
  const blocks = new LRUCache<string, { readonly cells: Float32Array | undefined }>({
    max: Math.max(16, Math.floor(cacheBytes / blockBytes)),
  });
  const indexOf = (key: string, count: number): UnitIndex | undefined => {
    const known = indexes.get(key);
    if (known !== undefined) return known;
    const range = ranges.get(key);
    if (range === undefined) return undefined;
    const index = readUnitIndex(range, count);
    indexes.set(key, index);
    return index;
  };
  return {
    know(units) {
      for (const [key, range] of units) ranges.set(key, range);
    },
    block(place) {
      const [columns, rows] = blockCounts(shape.grid, place.z);
      if (place.y < 0 || place.y >= rows) return undefined;
      const around = { ...place, x: ((place.x % columns) + columns) % columns };
      const key = keyOf(around);
      const known = blocks.get(key);
      if (known !== undefined) return known.cells;
      const layer = layerOfZoom(layers, around.z);
      const unit = unitOf(around, layer);
      const count = (4 ** (layer.bottomZoom - layer.rootZoom + 1) - 1) / 3;
      const index = indexOf(keyOf(unit), count);
      if (index === undefined) return undefined;
      const cells = readBlock(index, indexInUnit(around, unit));
      blocks.set(key, { cells });
      return cells;
    },
  };
}
