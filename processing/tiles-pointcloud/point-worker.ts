import { join } from 'node:path';
import type { Cell } from '@platen/geo/point-tree/cloud';
import { encoderReady } from '../models/glb/encode-primitive.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import type { BucketRanges } from './bucket-ranges.ts';
import { createNodeMaker, type NodeMaker } from './node-task.ts';
import { createReader, type PointReader } from './read-task.ts';
import { createSpill } from './spill.ts';
import type { Answer, Setup, SplitAnswer, Task } from './tasks.ts';
import { bucketAt, divideBucket } from './tree/plan-buckets.ts';
import { rowsOf } from './tree/read-rows.ts';
import { rowShapeOf, type RowShape } from './tree/row-shape.ts';

export interface PointWorker {
  handle(task: Task): Promise<Answer> | Answer;
  /** Closes the files that are open. */
  close(): Promise<void>;
}

/** Handles the tasks of one thread. */
export function createPointWorker(setup: Setup): PointWorker {
  let reader: PointReader | undefined = createReader(setup);
  let nodes: NodeMaker | undefined;
  const prepare = async (task: Extract<Task, { kind: 'properties' }>): Promise<Answer> => {
    // all is read: its memory is for nodes
    await reader?.close();
    reader = undefined;
    nodes = await createNodeMaker(setup, task);
    await encoderReady();
    return { kind: 'prepared' };
  };
  const handle = (task: Task): Promise<Answer> | Answer => {
    switch (task.kind) {
      case 'properties':
        return prepare(task);
      case 'read':
        return reader!.read(task);
      case 'split':
        return split(setup, task);
      case 'bucket':
        return nodes!.bucket(task);
      case 'join':
        return nodes!.join(task.cell, task.children);
      case 'root':
        return nodes!.root(task.node);
    }
  };
  return {
    handle,
    async close() {
      await reader?.close();
      await nodes?.close();
    },
  };
}

/** Rows that are held in memory before they are written. */
const heldRows = 1 << 18;

/** Writes the points of a bucket that is too large once more, by its children. */
function split(
  { root, columns, folder, attempt, worker }: Setup,
  { cell, ranges }: Extract<Task, { kind: 'split' }>,
): SplitAnswer {
  const name = ['split', attempt, worker, cell.level, cell.x, cell.y, cell.z].join('-');
  const file = openScratchFile(join(folder, name));
  const { children, cells } = divideBucket(cell);
  const shapeOf = (of: Cell): RowShape => rowShapeOf(of, root.sideBits, columns.count);
  const spill = createSpill(file, columns.count, (octant) => shapeOf(cells[octant]!));
  const shift = root.sideBits - cell.level - 1;
  const written: BucketRanges[] = [];
  let held = 0;
  for (const row of rowsOf(ranges, shapeOf(cell))) {
    for (let from = 0; from < row.length; from += columns.count) {
      const room = spill.room(bucketAt(children, shift, row[from]!, row[from + 1]!, row[from + 2]!));
      for (let c = 0; c < columns.count; c++) spill.rows[room.at++] = row[from + c]!;
    }
    held += row.length / columns.count;
    if (held < heldRows) continue;
    written.push(...spill.flush());
    held = 0;
  }
  written.push(...spill.flush());
  file.close();
  return { kind: 'split', cell, ranges: written };
}
