import { join } from 'node:path';
import { createFeatureList, pushFeature, shapeOf, type FeatureList } from '@platen/geo/mvt/feature-record';
import type { TileFeatures } from '@platen/geo/mvt/tile-features';
import { createInt32Buffer, type Int32Buffer } from '@platen/geo/shape/int32-buffer';
import type { Band } from './plan.ts';
import { loadRecords, openRecordFile, recordsOf, type RecordFile } from '../kit/record-file.ts';
import { copyRecord, trimToBox, thinRecord, trimRecord, type Renumbering } from './records.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import { boxOf, childrenOf, nameOf, root, type Node } from './tree.ts';

/** Records in shared memory, or copies of them in a file with global key and layer numbers. */
export type RecordSource =
  | {
      readonly shared: SharedArrayBuffer;
      readonly renumbering: Renumbering;
      /** Offsets of the records; undefined: all records. */
      readonly records: Int32Array | undefined;
    }
  | { readonly range: FileRange };

/** A share of the tiles: everything from a node down, or a range of zooms above the leaves. */
export type Unit =
  | { readonly kind: 'leaf'; readonly node: Node }
  | { readonly kind: 'band'; readonly band: Band; readonly leaves: ReadonlySet<string> };

export interface CutUnitOptions {
  readonly folder: string;
  readonly worker: number;
  readonly attempt: number;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly extent: number;
  /** Margin in tile units that tiles of a zoom need around them. */
  readonly marginOf: (z: number) => number;
  /** Maximum number of words loaded at once. */
  readonly maxWords: number;
  readonly makeTile: (node: Node, features: TileFeatures) => void;
}

export interface UnitCutter {
  /** @param words approximate size of the records */
  cut(unit: Unit, sources: readonly RecordSource[], words: number): void;
}

/** The part of a unit's tree to cut. */
interface Subtree {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly leaves: ReadonlySet<string> | undefined;
}

/**
 * Cuts units into tiles, depth first and in Hilbert order: each tile passes to its four children the features they can
 * see. While a node's features exceed the memory, they are streamed from a file into one file per child.
 */
export function createUnitCutter(options: CutUnitOptions): UnitCutter {
  const { folder, worker, attempt, extent, marginOf, maxWords, makeTile } = options;
  // Untouched memory is not committed, so the reserve for trimmed copies costs nothing until it is used.
  const store = createInt32Buffer(maxWords * 3);
  const lists: FeatureList[] = Array.from({ length: options.maxZoom + 1 }, () => createFeatureList(64));
  let files = 0;

  const cutInMemory = (node: Node, list: FeatureList, subtree: Subtree): void => {
    if (node.z >= subtree.minZoom) makeTile(node, featuresOf(store, list));
    if (node.z >= subtree.maxZoom) return;
    const released = store.length;
    const childList = lists[node.z + 1]!;
    for (const child of childrenOf(node)) {
      if (subtree.leaves?.has(nameOf(child)) === true) continue;
      childList.length = 0;
      const box = boxOf(child, extent, marginOf(child.z));
      for (let i = 0; i < list.length; i++) {
        const record = list.pairs[i * 2]!;
        const shape = trimToBox(store, record, list.pairs[i * 2 + 1]!, box);
        if (shape >= 0) pushFeature(childList, record, shape);
      }
      if (childList.length > 0) cutInMemory(child, childList, subtree);
      store.length = released;
    }
  };
  const cutStore = (node: Node, subtree: Subtree): void => {
    const list = lists[node.z]!;
    list.length = 0;
    for (let record = 0; record < store.length; record += store.words[record]!) {
      pushFeature(list, record, shapeOf(store.words, record));
    }
    if (list.length > 0) cutInMemory(node, list, subtree);
  };

  const cutFiles = (node: Node, ranges: readonly FileRange[], subtree: Subtree): void => {
    if (node.z >= subtree.minZoom) {
      makeTile(node, {
        each(visit) {
          for (const record of recordsOf(ranges, store)) visit(store, record, shapeOf(store.words, record));
        },
      });
    }
    if (node.z >= subtree.maxZoom) return;
    const children = childrenOf(node).filter((child) => subtree.leaves?.has(nameOf(child)) !== true);
    const parts = children.map((child) => ({
      child,
      box: boxOf(child, extent, marginOf(child.z)),
      file: openRecordFile(join(folder, `cut-${attempt}-${worker}-${files++}`)),
    }));
    for (const record of recordsOf(ranges, store)) {
      const released = store.length;
      for (const { box, file } of parts) {
        const left = trimToBox(store, record, shapeOf(store.words, record), box);
        if (left >= 0) appendRecord(file, store, record, left);
        store.length = released;
      }
    }
    for (const { child, file } of parts) {
      if (file.length > 0) {
        const part = file.end();
        if (file.length > maxWords) cutFiles(child, [part], subtree);
        else {
          store.length = 0;
          loadRecords([part], store);
          cutStore(child, subtree);
        }
      }
      file.remove();
    }
  };

  const gather = (unit: Unit, sources: readonly RecordSource[]): void => {
    store.length = 0;
    const box = unit.kind === 'leaf' ? boxOf(unit.node, extent, marginOf(unit.node.z)) : undefined;
    const add = (words: Int32Array, record: number, renumbering: Renumbering): void => {
      const own = copyRecord(store, words, record, renumbering);
      if (box !== undefined) trimRecord(store, own, box);
      else if (unit.kind === 'band') thinRecord(store, own, unit.band.maxZoom);
    };
    for (const source of sources) {
      if ('range' in source) loadRecords([source.range], store);
      else {
        const words = new Int32Array(source.shared);
        if (source.records !== undefined) {
          for (const record of source.records) add(words, record, source.renumbering);
        } else {
          for (let at = 0; at < words.length; at += words[at]!) add(words, at, source.renumbering);
        }
      }
    }
  };

  return {
    cut(unit, sources, words) {
      const subtree: Subtree =
        unit.kind === 'leaf' ? { ...options, leaves: undefined } : { ...unit.band, leaves: unit.leaves };
      const node = unit.kind === 'leaf' ? unit.node : root;
      const inFiles = sources.filter((source) => 'range' in source);
      if (inFiles.length === sources.length && words > maxWords) {
        cutFiles(
          node,
          inFiles.map(({ range }) => range),
          subtree,
        );
      } else {
        gather(unit, sources);
        cutStore(node, subtree);
      }
    },
  };
}

function featuresOf(store: Int32Buffer, list: FeatureList): TileFeatures {
  return {
    each(visit) {
      for (let i = 0; i < list.length; i++) visit(store, list.pairs[i * 2]!, list.pairs[i * 2 + 1]!);
    },
  };
}

/** Appends the record with another shape, which was built after the store's end and which the caller releases. */
function appendRecord(file: RecordFile, store: Int32Buffer, record: number, shape: number): void {
  const own = shapeOf(store.words, record);
  if (shape === own) {
    file.append(store.words.subarray(record, record + store.words[record]!));
    return;
  }
  const head = store.words.slice(record, own);
  const length = store.words[shape]!;
  head[0] = head.length + length;
  file.append(head);
  file.append(store.words.subarray(shape, shape + length));
}
