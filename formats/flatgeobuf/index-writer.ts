import { widen } from './box-list.ts';
import { levelSizes, nodeBytes } from './packed-tree.ts';

/** Children of each node of the index; what viewers and GDAL expect. */
export const nodeSize = 16;

export interface IndexWriter {
  /** The next feature along the curve, and where it begins behind the index. */
  add(boxes: Float64Array, at: number, offset: number): void;
  /** Writes the levels above. */
  finish(): void;
}

const bufferedNodes = 4096;

/** Writes the packed Hilbert R-tree as its leaves come; of the levels above only the boxes are held. */
export function createIndexWriter(
  featureCount: number,
  indexStart: number,
  write: (bytes: Uint8Array, position: number) => void,
): IndexWriter {
  const sizes = levelSizes(featureCount, nodeSize);
  /** The number of each level's first node, the root's being 0. */
  const starts = sizes.map((_, level) => sizes.slice(level + 1).reduce((sum, size) => sum + size, 0));
  const boxes = sizes.slice(1).map((size) => {
    const level = new Float64Array(size * 4);
    for (let i = 0; i < size; i++) level.set([Infinity, Infinity, -Infinity, -Infinity], i * 4);
    return level;
  });
  let leaves = 0;
  const leafWriter = createNodeWriter(starts[0]!);

  function createNodeWriter(firstNode: number) {
    const bytes = new Uint8Array(bufferedNodes * nodeBytes);
    const view = new DataView(bytes.buffer);
    let held = 0;
    let position = indexStart + firstNode * nodeBytes;
    const flush = (): void => {
      write(bytes.subarray(0, held * nodeBytes), position);
      position += held * nodeBytes;
      held = 0;
    };
    const put = (box: Float64Array, at: number, offset: number): void => {
      if (held === bufferedNodes) flush();
      const to = held++ * nodeBytes;
      for (let i = 0; i < 4; i++) view.setFloat64(to + i * 8, box[at + i]!, true);
      view.setUint32(to + 32, offset >>> 0, true);
      view.setUint32(to + 36, Math.floor(offset / 2 ** 32), true);
    };
    return { put, flush };
  }

  return {
    add(box, at, offset) {
      leafWriter.put(box, at, offset);
      widen(boxes[0]!, Math.floor(leaves / nodeSize) * 4, box, at);
      leaves++;
    },
    finish() {
      leafWriter.flush();
      for (const [i, level] of boxes.entries()) {
        const above = boxes[i + 1];
        const nodes = createNodeWriter(starts[i + 1]!);
        for (let node = 0; node < sizes[i + 1]!; node++) {
          // The offset of a node above the leaves is the number of its first child.
          nodes.put(level, node * 4, starts[i]! + node * nodeSize);
          if (above !== undefined) widen(above, Math.floor(node / nodeSize) * 4, level, node * 4);
        }
        nodes.flush();
      }
    },
  };
}
