import { trimShape, type Box } from '@platen/geo/clip/trim-shape';
import { hilbertOf } from '@platen/geo/hilbert/hilbert';
import { createFeatureList, pushFeature, shapeOf, type FeatureList } from '@platen/geo/mvt/feature-record';
import type { TileEncoder } from '@platen/geo/mvt/tile-encoder';
import type { ShapeType } from '@platen/geo/shape/shape';
import type { Words } from '@platen/geo/shape/words';
import { worldBits } from '@platen/geo/tile/world-grid';
import type { Breather } from './breather.ts';
import { openRecordFile, type RecordFile } from './record-file.ts';
import type { Spool } from './spool.ts';

export interface CutOptions {
  readonly spool: Spool;
  readonly encoder: TileEncoder;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly extent: number;
  readonly buffer: number;
  readonly scratchFolder: string;
  readonly breather: Breather;
  /** Tiles of each zoom in Hilbert order; `refused` counts the features the tile had no room for. */
  readonly onTile: (
    z: number,
    x: number,
    y: number,
    bytes: Uint8Array,
    features: number,
    refused: number,
  ) => void;
  /** From 0 to 1. */
  readonly onProgress: (done: number) => void;
}

interface Node {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

const finestProgressZoom = 8;

/**
 * Cuts everything in the spool into tiles, depth first and in Hilbert order: each tile hands to its four
 * children what they can see of its features. While a node's features do not fit into memory they are
 * streamed from a file into one file per child.
 */
export async function cutTiles(options: CutOptions): Promise<void> {
  const { spool, encoder, minZoom, maxZoom, breather, onTile } = options;
  const { store } = spool;
  const lists: FeatureList[] = Array.from({ length: maxZoom + 1 }, () => createFeatureList(64));
  let done = 0;
  let files = 0;
  const finish = (zoom: number): void => {
    if (zoom > finestProgressZoom) return;
    done += 4 ** -zoom;
    options.onProgress(Math.min(1, done));
  };

  const emit = ({ z, x, y }: Node, features: number, refused: number): void => {
    if (features === 0) return;
    const bytes = encoder.finish();
    if (bytes !== undefined) onTile(z, x, y, bytes, features, refused);
  };

  const encodeList = async (node: Node, list: FeatureList): Promise<void> => {
    encoder.begin(node.z, node.x, node.y);
    let added = 0;
    let refused = 0;
    for (let i = 0; i < list.length; i++) {
      if ((i & 255) === 255 && breather.due()) await breather.rest();
      const outcome = encoder.add(store, list.pairs[i * 2]!, list.pairs[i * 2 + 1]!);
      if (outcome === 'added') added++;
      else if (outcome === 'full') refused++;
    }
    emit(node, added, refused);
  };

  const cutInMemory = async (node: Node, list: FeatureList): Promise<void> => {
    if (breather.due()) await breather.rest();
    if (node.z >= minZoom) await encodeList(node, list);
    if (node.z < maxZoom) {
      const released = store.length;
      const childList = lists[node.z + 1]!;
      for (const child of childrenOf(node)) {
        childList.length = 0;
        const box = boxOf(child, options);
        for (let i = 0; i < list.length; i++) {
          if ((i & 1023) === 1023 && breather.due()) await breather.rest();
          const record = list.pairs[i * 2]!;
          const shape = reduce(store, record, list.pairs[i * 2 + 1]!, box);
          if (shape >= 0) pushFeature(childList, record, shape);
        }
        if (childList.length > 0) await cutInMemory(child, childList);
        else finish(child.z);
        store.length = released;
      }
      if (node.z >= finestProgressZoom) finish(node.z);
    } else finish(node.z);
  };

  const listOf = (zoom: number): FeatureList => {
    const list = lists[zoom]!;
    list.length = 0;
    for (let record = 0; record < store.length; record += store.words[record]!) {
      pushFeature(list, record, shapeOf(store.words, record));
    }
    return list;
  };

  const cutFile = async (node: Node, file: RecordFile): Promise<void> => {
    if (file.length <= spool.wordsInMemory) {
      file.load(store);
      file.remove();
      await cutInMemory(node, listOf(node.z));
      return;
    }
    const encodes = node.z >= minZoom;
    const children = node.z < maxZoom ? childrenOf(node) : [];
    const childFiles = children.map(() => openRecordFile(options.scratchFolder, `part-${files++}`));
    const boxes = children.map((child) => boxOf(child, options));
    if (encodes) encoder.begin(node.z, node.x, node.y);
    let added = 0;
    let refused = 0;
    let count = 0;
    for (const record of file.records(store)) {
      if ((count++ & 255) === 255 && breather.due()) await breather.rest();
      const shape = shapeOf(store.words, record);
      if (encodes) {
        const outcome = encoder.add(store, record, shape);
        if (outcome === 'added') added++;
        else if (outcome === 'full') refused++;
      }
      const released = store.length;
      for (const [i, box] of boxes.entries()) {
        const left = reduce(store, record, shape, box);
        if (left >= 0) appendRecord(childFiles[i]!, store, record, left);
        store.length = released;
      }
    }
    file.remove();
    emit(node, added, refused);
    for (const [i, child] of children.entries()) {
      if (childFiles[i]!.length > 0) await cutFile(child, childFiles[i]!);
      else finish(child.z);
    }
    if (children.length === 0 || node.z >= finestProgressZoom) finish(node.z);
  };

  const root = { z: 0, x: 0, y: 0 };
  if (spool.file === undefined) await cutInMemory(root, listOf(0));
  else await cutFile(root, spool.file);
}

/** In the order in which the Hilbert curve of their zoom visits them. */
function childrenOf({ z, x, y }: Node): Node[] {
  const children = [0, 1, 2, 3].map((i) => ({ z: z + 1, x: x * 2 + (i & 1), y: y * 2 + (i >> 1) }));
  const place = (child: Node): number => hilbertOf(child.z, child.x, child.y);
  return children.toSorted((a, b) => place(a) - place(b));
}

/** The tile with its buffer, and a unit more for what rounding to the tile's grid moves inside. */
function boxOf({ z, x, y }: Node, { extent, buffer }: CutOptions): Box {
  const side = 2 ** (worldBits - z);
  const margin = ((buffer + 1) / extent) * side;
  return {
    minX: Math.floor(x * side - margin),
    minY: Math.floor(y * side - margin),
    maxX: Math.ceil((x + 1) * side + margin),
    maxY: Math.ceil((y + 1) * side + margin),
  };
}

/** What is left of a shape in a box: itself, a trimmed copy behind the store's end, or nothing (-1). */
function reduce(store: Words, record: number, shape: number, box: Box): number {
  const { words } = store;
  const minX = words[shape + 1]!;
  const minY = words[shape + 2]!;
  const maxX = words[shape + 3]!;
  const maxY = words[shape + 4]!;
  if (maxX < box.minX || minX > box.maxX || maxY < box.minY || minY > box.maxY) return -1;
  if (minX >= box.minX && maxX <= box.maxX && minY >= box.minY && maxY <= box.maxY) return shape;
  return trimShape(store, shape, (words[record + 1]! & 3) as ShapeType, box);
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
