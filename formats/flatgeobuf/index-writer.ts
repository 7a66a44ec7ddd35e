import { clearBox, extendBox } from './feature-box.ts';
import { levelSizes, nodeBytes } from './packed-tree.ts';

/** Children of each node of the index; what viewers and GDAL expect. */
export const nodeSize = 16;

export interface IndexWriter {
  /** The next feature along the curve, by its box at `at`, and its offset behind the index. */
  add(boxes: Float64Array, at: number, offset: number): void;
  /** Writes what is left of each level. */
  finish(): void;
}

type Write = (bytes: Uint8Array, position: number) => void;

const bufferedNodes = 1024;

/** Writes the packed Hilbert R-tree, all levels side by side, as its leaves come: in memory is a node of each level. */
export function createIndexWriter(featureCount: number, indexStart: number, write: Write): IndexWriter {
  const sizes = levelSizes(featureCount, nodeSize);
  /** The number of each level's first node, the root's being 0. */
  const starts = sizes.map((_, level) => sizes.slice(level + 1).reduce((sum, size) => sum + size, 0));
  const levels = starts.map((start) => createLevel(start, indexStart, write));

  const put = (level: number, boxes: Float64Array, at: number, offset: number): void => {
    const { nodes, open } = levels[level]!;
    nodes.put(boxes, at, offset);
    if (level === levels.length - 1) return;
    extendBox(open.box, boxes, at);
    if (++open.children === nodeSize) close(level);
  };
  /** The offset of a node above the leaves is the number of its first child. */
  const close = (level: number): void => {
    const { nodes, open } = levels[level]!;
    const firstChild = nodes.next() - open.children;
    open.children = 0;
    put(level + 1, open.box, 0, firstChild);
    clearBox(open.box);
  };

  return {
    add: (boxes, at, offset) => put(0, boxes, at, offset),
    finish() {
      for (const [level, { nodes, open }] of levels.entries()) {
        if (open.children > 0) close(level);
        nodes.flush();
      }
    },
  };
}

function createLevel(firstNode: number, indexStart: number, write: Write) {
  const box = new Float64Array(4);
  clearBox(box);
  return {
    nodes: createNodeWriter(firstNode, indexStart, write),
    /** The node above whose children are being written. */
    open: { box, children: 0 },
  };
}

function createNodeWriter(firstNode: number, indexStart: number, write: Write) {
  const bytes = new Uint8Array(bufferedNodes * nodeBytes);
  const view = new DataView(bytes.buffer);
  let written = firstNode;
  let held = 0;
  const flush = (): void => {
    write(bytes.subarray(0, held * nodeBytes), indexStart + written * nodeBytes);
    written += held;
    held = 0;
  };
  return {
    flush,
    /** The number of the next node. */
    next: () => written + held,
    put(box: Float64Array, at: number, offset: number): void {
      if (held === bufferedNodes) flush();
      const to = held++ * nodeBytes;
      for (let i = 0; i < 4; i++) view.setFloat64(to + i * 8, box[at + i]!, true);
      view.setUint32(to + 32, offset >>> 0, true);
      view.setUint32(to + 36, Math.floor(offset / 2 ** 32), true);
    },
  };
}
