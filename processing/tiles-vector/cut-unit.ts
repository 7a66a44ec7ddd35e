import { join } from 'node:path';
import { createFeatureList, pushFeature, shapeOf, type FeatureList } from '@platen/geo/mvt/feature-record';
import type { TileFeatures } from '@platen/geo/mvt/tile-features';
import { createWords, type Words } from '@platen/geo/shape/words';
import type { Band } from './plan.ts';
import { loadRecords, openRecordFile, recordsOf, type RecordFile } from './record-file.ts';
import { copyRecord, reduce, thinRecord, trimRecord, type Renumbering } from './records.ts';
import type { Stretch } from './scratch.ts';
import { boxOf, childrenOf, nameOf, root, type Node } from './tree.ts';

/** Records that are in memory, or copies of them with everyone's numbers in a file. */
export type Piece =
  | {
      readonly shared: SharedArrayBuffer;
      readonly renumbering: Renumbering;
      /** Undefined: all of them. */
      readonly records: Int32Array | undefined;
    }
  | { readonly stretch: Stretch };

/** A share of the tiles: everything from a node down, or a range of zooms above the nodes that others begin with. */
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
  /** In tile units, what tiles of a zoom need around themselves. */
  readonly marginOf: (z: number) => number;
  /** More words than these are not loaded at once. */
  readonly mostWords: number;
  readonly makeTile: (node: Node, features: TileFeatures) => void;
}

export interface UnitCutter {
  /** @param words of its records, roughly */
  cut(unit: Unit, pieces: readonly Piece[], words: number): void;
}

/** What of a unit's tree is made. */
interface Range {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly leaves: ReadonlySet<string> | undefined;
}

/**
 * Cuts units into tiles, depth first and in Hilbert order: each tile hands to its four children what they can see of
 * its features. While a node's features do not fit into memory they are streamed from a file into one file per child.
 */
export function createUnitCutter(options: CutUnitOptions): UnitCutter {
  const { folder, worker, attempt, extent, marginOf, mostWords, makeTile } = options;
  // Memory that is never written is not taken: room for what is trimmed off costs nothing until it is needed.
  const store = createWords(mostWords * 3);
  const lists: FeatureList[] = Array.from({ length: options.maxZoom + 1 }, () => createFeatureList(64));
  let files = 0;

  const cutInMemory = (node: Node, list: FeatureList, range: Range): void => {
    if (node.z >= range.minZoom) makeTile(node, featuresOf(store, list));
    if (node.z >= range.maxZoom) return;
    const released = store.length;
    const childList = lists[node.z + 1]!;
    for (const child of childrenOf(node)) {
      if (range.leaves?.has(nameOf(child)) === true) continue;
      childList.length = 0;
      const box = boxOf(child, extent, marginOf(child.z));
      for (let i = 0; i < list.length; i++) {
        const record = list.pairs[i * 2]!;
        const shape = reduce(store, record, list.pairs[i * 2 + 1]!, box);
        if (shape >= 0) pushFeature(childList, record, shape);
      }
      if (childList.length > 0) cutInMemory(child, childList, range);
      store.length = released;
    }
  };
  const cutStore = (node: Node, range: Range): void => {
    const list = lists[node.z]!;
    list.length = 0;
    for (let record = 0; record < store.length; record += store.words[record]!) {
      pushFeature(list, record, shapeOf(store.words, record));
    }
    if (list.length > 0) cutInMemory(node, list, range);
  };

  const cutFiles = (node: Node, stretches: readonly Stretch[], range: Range): void => {
    if (node.z >= range.minZoom) {
      makeTile(node, {
        each(visit) {
          for (const record of recordsOf(stretches, store))
            visit(store, record, shapeOf(store.words, record));
        },
      });
    }
    if (node.z >= range.maxZoom) return;
    const children = childrenOf(node).filter((child) => range.leaves?.has(nameOf(child)) !== true);
    const parts = children.map((child) => ({
      child,
      box: boxOf(child, extent, marginOf(child.z)),
      file: openRecordFile(join(folder, `cut-${attempt}-${worker}-${files++}`)),
    }));
    for (const record of recordsOf(stretches, store)) {
      const released = store.length;
      for (const { box, file } of parts) {
        const left = reduce(store, record, shapeOf(store.words, record), box);
        if (left >= 0) appendRecord(file, store, record, left);
        store.length = released;
      }
    }
    for (const { child, file } of parts) {
      if (file.length > 0) {
        const part = file.end();
        if (file.length > mostWords) cutFiles(child, [part], range);
        else {
          store.length = 0;
          loadRecords([part], store);
          cutStore(child, range);
        }
      }
      file.remove();
    }
  };

  const gather = (unit: Unit, pieces: readonly Piece[]): void => {
    store.length = 0;
    const box = unit.kind === 'leaf' ? boxOf(unit.node, extent, marginOf(unit.node.z)) : undefined;
    const add = (words: Int32Array, record: number, renumbering: Renumbering): void => {
      const own = copyRecord(store, words, record, renumbering);
      if (box !== undefined) trimRecord(store, own, box);
      else if (unit.kind === 'band') thinRecord(store, own, unit.band.maxZoom);
    };
    for (const piece of pieces) {
      if ('stretch' in piece) loadRecords([piece.stretch], store);
      else {
        const words = new Int32Array(piece.shared);
        if (piece.records !== undefined) {
          for (const record of piece.records) add(words, record, piece.renumbering);
        } else {
          for (let at = 0; at < words.length; at += words[at]!) add(words, at, piece.renumbering);
        }
      }
    }
  };

  return {
    cut(unit, pieces, words) {
      const range: Range =
        unit.kind === 'leaf' ? { ...options, leaves: undefined } : { ...unit.band, leaves: unit.leaves };
      const node = unit.kind === 'leaf' ? unit.node : root;
      const inFiles = pieces.filter((piece) => 'stretch' in piece);
      if (inFiles.length === pieces.length && words > mostWords) {
        cutFiles(
          node,
          inFiles.map(({ stretch }) => stretch),
          range,
        );
      } else {
        gather(unit, pieces);
        cutStore(node, range);
      }
    },
  };
}

function featuresOf(store: Words, list: FeatureList): TileFeatures {
  return {
    each(visit) {
      for (let i = 0; i < list.length; i++) visit(store, list.pairs[i * 2]!, list.pairs[i * 2 + 1]!);
    },
  };
}

/** Appends the record with another shape in its place; built behind the store's end, which the caller releases. */
function appendRecord(file: RecordFile, store: Words, record: number, shape: number): void {
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
