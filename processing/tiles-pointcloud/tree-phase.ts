import { cellKey, parentCell, type Cell } from '@platen/geo/point-tree/cloud';
import type { JobContext } from '../job-type.ts';
import { expectAnswer } from '../kit/expect-answer.ts';
import { runAll } from '../kit/run-all.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import { emitWarnings, mergeWarnings } from '../kit/warning-counter.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import { indexRanges } from './bucket-ranges.ts';
import type { MadeUnits } from './checkpoint.ts';
import type { Answer, HandedNode, MadeTile, NodeAnswer, SplitAnswer, Task } from './tasks.ts';
import { canDivide, divideBucket } from './tree/plan-buckets.ts';
import { rowBytes } from './tree/read-rows.ts';
import { rowShapeOf } from './tree/row-shape.ts';

export interface MadeTree {
  readonly tiles: readonly MadeTile[];
  /** All nodes that were handed to their parents, or can be used by an update. */
  readonly nodes: readonly HandedNode[];
  readonly duplicates: number;
  readonly uncoloured: number;
  /** Of images: which part of the tree each is about is not recorded. */
  readonly hasWarnings: boolean;
}

interface Bucket {
  readonly cell: Cell;
  /** Of its rows. */
  readonly bytes: number;
  readonly ranges: () => readonly FileRange[];
}

interface TreeRun {
  readonly buckets: readonly Bucket[];
  /** Parts of the tree that are as they were. */
  readonly copied: readonly NodeAnswer[];
  /** Words of a point in memory. */
  readonly columns: number;
  /** A bucket with more points is divided. */
  readonly maxPoints: number;
  readonly sideBits: number;
  /** Rows of older points that may be near a cell. */
  readonly olderNear: (cell: Cell) => readonly FileRange[];
  readonly pool: WorkerPool<Task, Answer>;
  readonly made: MadeUnits;
  readonly context: JobContext;
}

/** Makes all tiles: of each bucket alone, and then those above them, level by level. */
export async function makeTree(run: TreeRun): Promise<MadeTree> {
  const { pool, made, copied } = run;
  const known = new Map<string, NodeAnswer | SplitAnswer>();
  for (const unit of made.units) if (unit.kind !== 'read') known.set(keyOf(unit), unit);
  const answers = [...copied, ...(await makeBuckets(run, known))];
  const nodes = new Map<number, NodeAnswer[]>();
  const add = (answer: NodeAnswer): void => {
    const { level } = answer.node.cell;
    const own = nodes.get(level);
    if (own) own.push(answer);
    else nodes.set(level, [answer]);
  };
  for (const answer of answers) add(answer);
  const all: NodeAnswer[] = [...answers];
  for (let level = Math.max(...nodes.keys()); level > 0; level--) {
    const joined = await joinLevel(run, nodes.get(level) ?? [], known);
    for (const answer of joined) add(answer);
    all.push(...joined);
  }
  const [top] = nodes.get(0)!;
  const { tiles } = expectAnswer(await pool.run({ kind: 'root', node: top!.node }), 'root');
  emitWarnings(mergeWarnings(all.flatMap(({ warnings }) => warnings)), run.context.warn);
  return {
    tiles: [...all.flatMap((answer) => answer.tiles), ...tiles],
    nodes: [...all.map(({ node }) => node), ...all.flatMap(({ inner }) => inner)],
    duplicates: top!.node.duplicates,
    uncoloured: top!.node.uncoloured,
    hasWarnings: all.some(({ warnings }) => warnings.length > 0),
  };
}

type Known = ReadonlyMap<string, NodeAnswer | SplitAnswer>;

const keyOf = (unit: NodeAnswer | SplitAnswer): string =>
  unit.kind === 'split' ? `split ${cellKey(unit.cell)}` : cellKey(unit.node.cell);

async function makeBuckets(run: TreeRun, known: Known): Promise<NodeAnswer[]> {
  const { buckets, columns, maxPoints, sideBits, pool, made, context } = run;
  const pointsOf = ({ cell, bytes }: Bucket): number => bytes / rowBytes(rowShapeOf(cell, sideBits, columns));
  const answers: NodeAnswer[] = [];
  const total = buckets.reduce((sum, bucket) => sum + pointsOf(bucket), 0);
  let done = 0;
  context.progress('make', done, total);
  let waiting: readonly Bucket[] = buckets;
  const finish = (answer: NodeAnswer, points: number): void => {
    answers.push(answer);
    done += points;
    context.progress('make', done, total);
  };
  while (waiting.length > 0) {
    const further: Bucket[] = [];
    const divide = ({ cell, ranges }: SplitAnswer): void => {
      const index = indexRanges(ranges);
      for (const [octant, child] of divideBucket(cell).cells.entries()) {
        const bytes = index.bytesOf(octant);
        if (bytes > 0) further.push({ cell: child, bytes, ranges: () => index.rangesOf(octant) });
      }
    };
    const isLarge = (bucket: Bucket): boolean =>
      pointsOf(bucket) > maxPoints && canDivide(sideBits, bucket.cell);
    const open: Bucket[] = [];
    for (const bucket of waiting) {
      const key = cellKey(bucket.cell);
      const former = known.get(isLarge(bucket) ? `split ${key}` : key);
      if (former?.kind === 'split') divide(former);
      else if (former !== undefined) finish(former, pointsOf(bucket));
      else open.push(bucket);
    }
    // the largest first, so that no thread works alone in the end
    open.sort((a, b) => pointsOf(b) - pointsOf(a));
    const taskOf = (bucket: Bucket): Task => {
      const own = { cell: bucket.cell, ranges: bucket.ranges() };
      return isLarge(bucket)
        ? { kind: 'split', ...own }
        : { kind: 'bucket', ...own, older: run.olderNear(bucket.cell) };
    };
    await runAll(pool, Iterator.from(open).map(taskOf), (answer, number) => {
      if (answer.kind !== 'split' && answer.kind !== 'node') return;
      made.append(answer);
      if (answer.kind === 'split') divide(answer);
      else finish(answer, pointsOf(open[number]!));
    });
    waiting = further;
  }
  return answers;
}

/** Makes the parents of all nodes of a level. */
async function joinLevel(
  { pool, made, context }: TreeRun,
  nodes: readonly NodeAnswer[],
  known: Known,
): Promise<NodeAnswer[]> {
  const parents = new Map<string, { cell: Cell; children: HandedNode[] }>();
  for (const { node } of nodes) {
    const cell = parentCell(node.cell);
    const key = cellKey(cell);
    const parent = parents.get(key) ?? { cell, children: [] };
    parent.children.push(node);
    parents.set(key, parent);
  }
  const answers: NodeAnswer[] = [];
  const tasks: Task[] = [];
  for (const [key, parent] of parents) {
    const former = known.get(key);
    if (former?.kind === 'node') answers.push(former);
    else tasks.push({ kind: 'join', ...parent });
  }
  await runAll(pool, tasks, (answer) => {
    const node = expectAnswer(answer, 'node');
    made.append(node);
    answers.push(node);
    context.progress('combine', answers.length, parents.size);
  });
  return answers;
}
