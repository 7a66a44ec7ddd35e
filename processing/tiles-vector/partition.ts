import { join } from 'node:path';
import type { Box } from '@platen/geo/clip/trim-shape';
import { shapeOf } from '@platen/geo/mvt/feature-record';
import { createInt32Buffer, type Int32Buffer } from '@platen/geo/shape/int32-buffer';
import type { Plan } from './plan.ts';
import { copyRecord, thinRecord, trimRecord, type Renumbering } from './records.ts';
import { openScratchFile, type ScratchFile, type FileRange } from '../kit/scratch-file.ts';
import { loadSegment, type Segment } from './segments.ts';
import { boxOf, childrenOf, nameOf, root, type Node } from './tree.ts';

/** The records of a segment that a leaf needs: as offsets in the segment, or as copies in a file. */
export interface Share {
  readonly leaf: number;
  readonly words: number;
  readonly records: Int32Array | undefined;
  readonly range: FileRange | undefined;
}

export interface Shares {
  readonly leaves: readonly Share[];
  /** A copy of the segment for the zooms above the leaves; undefined if the segment itself is in memory. */
  readonly top: FileRange | undefined;
}

export interface Partitioner {
  /** @param toFile copy the records with global numbers instead of listing their offsets */
  divide(segment: Segment, renumbering: Renumbering, toFile: boolean): Shares;
  close(): void;
}

export interface PartitionOptions {
  readonly folder: string;
  readonly worker: number;
  readonly attempt: number;
  readonly plan: Plan;
  readonly extent: number;
  /** Margin in tile units that tiles of a zoom need around them. */
  readonly marginOf: (z: number) => number;
}

interface Branch {
  readonly box: Box;
  readonly children: readonly Branch[];
  /** Index of the leaf; -1 for inner nodes. */
  readonly leaf: number;
}

/** Finds the leaves that may see each record. */
export function createPartitioner({
  folder,
  worker,
  attempt,
  plan,
  extent,
  marginOf,
}: PartitionOptions): Partitioner {
  const tree = growTree(plan, (node) => boxOf(node, extent, marginOf(node.z)));
  const boxes = plan.leaves.map((leaf) => boxOf(leaf, extent, marginOf(leaf.z)));
  const recordsByLeaf: number[][] = plan.leaves.map(() => []);
  const store = createInt32Buffer(1 << 20);
  const scratch = createInt32Buffer(1 << 16);
  const topZoom = Math.max(-1, ...plan.bands.map((band) => band.maxZoom));
  let file: ScratchFile | undefined;

  const find = (words: Int32Array, shape: number, record: number, { box, children, leaf }: Branch): void => {
    if (words[shape + 3]! < box.minX || words[shape + 1]! > box.maxX) return;
    if (words[shape + 4]! < box.minY || words[shape + 2]! > box.maxY) return;
    if (leaf >= 0) recordsByLeaf[leaf]!.push(record);
    else for (const child of children) find(words, shape, record, child);
  };
  const copy = (
    source: Int32Buffer,
    records: readonly number[],
    renumbering: Renumbering,
    box: Box,
  ): FileRange => {
    file ??= openScratchFile(join(folder, `parts-${attempt}-${worker}`));
    const start = file.length;
    for (const record of records) {
      scratch.length = 0;
      const own = copyRecord(scratch, source.words, record, renumbering);
      if (trimRecord(scratch, own, box)) file.append(scratch.bytes.subarray(0, scratch.length * 4));
    }
    file.flush();
    return { path: file.path, start, end: file.length };
  };
  const thin = (source: Int32Buffer, renumbering: Renumbering): FileRange => {
    file ??= openScratchFile(join(folder, `parts-${attempt}-${worker}`));
    const start = file.length;
    for (let record = 0; record < source.length; record += source.words[record]!) {
      scratch.length = 0;
      const own = copyRecord(scratch, source.words, record, renumbering);
      thinRecord(scratch, own, topZoom);
      file.append(scratch.bytes.subarray(0, scratch.length * 4));
    }
    file.flush();
    return { path: file.path, start, end: file.length };
  };

  return {
    divide(segment, renumbering, toFile) {
      const source = loadSegment(segment, store);
      const { words } = source;
      for (let record = 0; record < source.length; record += words[record]!) {
        find(words, shapeOf(words, record), record, tree);
      }
      const leaves: Share[] = [];
      for (const [leaf, records] of recordsByLeaf.entries()) {
        if (records.length === 0) continue;
        if (toFile) {
          const range = copy(source, records, renumbering, boxes[leaf]!);
          const size = (range.end - range.start) / 4;
          if (size > 0) leaves.push({ leaf, words: size, records: undefined, range });
        } else {
          const size = records.reduce((sum, record) => sum + words[record]!, 0);
          leaves.push({ leaf, words: size, records: Int32Array.from(records), range: undefined });
        }
        records.length = 0;
      }
      return { leaves, top: toFile && topZoom >= 0 ? thin(source, renumbering) : undefined };
    },
    close: () => file?.close(),
  };
}

function growTree({ leaves }: Plan, boxOfNode: (node: Node) => Box): Branch {
  const byName = new Map(leaves.map((leaf, i) => [nameOf(leaf), i]));
  const grow = (node: Node): Branch => {
    const leaf = byName.get(nameOf(node)) ?? -1;
    return { box: boxOfNode(node), leaf, children: leaf >= 0 ? [] : childrenOf(node).map(grow) };
  };
  return grow(root);
}
