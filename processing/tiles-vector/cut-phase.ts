import { rmSync } from 'node:fs';
import type { JobContext } from '../job-type.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { runAll, type WorkerPool } from '../worker-pool.ts';
import type { Piece } from './cut-unit.ts';
import type { Plan } from './plan.ts';
import type { Reading } from './read-phase.ts';
import { expectAnswer, type Answer, type CutSetup, type Task } from './tasks.ts';
import type { UnitTiles } from './tile-log.ts';
import { nameOf } from './tree.ts';
import { passOn } from './warning-tally.ts';

/** All tiles, in scratch files. */
export interface CutTiles {
  /** Along the Hilbert curve. */
  readonly leaves: readonly UnitTiles[];
  readonly tops: readonly UnitTiles[];
}

interface Work {
  readonly task: Extract<Task, { kind: 'cut' }>;
  /** Of the plan's leaves; -1: a band of zooms above them. */
  readonly leaf: number;
}

/** Sorts the records by place, then cuts them into tiles, several units at a time. */
export async function cutAll(
  pool: WorkerPool<Task, Answer>,
  context: JobContext,
  reading: Reading,
  cut: CutSetup,
): Promise<CutTiles> {
  const { plan } = cut;
  await pool.runOnEach({ kind: 'prepare', cut });
  const works = await divide(pool, context, reading, plan);
  await pool.runOnEach({ kind: 'tidy' });
  collectGarbage();
  const total = works.reduce((sum, { task }) => sum + task.words, 0);
  const leaves: UnitTiles[] = [];
  const tops: UnitTiles[] = [];
  let done = 0;
  // The largest first, so that no thread is left with one when the others have nothing to do.
  const sorted = works.toSorted((a, b) => b.task.words - a.task.words);
  const tasks = sorted.map(({ task }) => task);
  await runAll(pool, tasks, (answer, number) => {
    const { tiles, warnings } = expectAnswer(answer, 'cut');
    const { leaf, task } = sorted[number]!;
    if (leaf < 0) tops.push(tiles);
    else leaves[leaf] = tiles;
    passOn(warnings, context.warn);
    done += task.words;
    context.progress('cut', done, total);
  });
  return { leaves: leaves.filter((tiles) => tiles !== undefined), tops };
}

async function divide(
  pool: WorkerPool<Task, Answer>,
  { progress }: JobContext,
  { segments, renumberings }: Reading,
  plan: Plan,
): Promise<Work[]> {
  const toFile = segments.some(({ stretch }) => stretch !== undefined);
  const byLeaf = plan.leaves.map((): { segment: number; piece: Piece; words: number }[] => []);
  const top: { segment: number; piece: Piece }[] = [];
  let done = 0;
  const tasks = segments.map((segment): Task => {
    return { kind: 'divide', segment, renumbering: renumberings[segment.worker]!, toFile };
  });
  await runAll(pool, tasks, (answer, number) => {
    const { shares } = expectAnswer(answer, 'divided');
    const { shared, worker } = segments[number]!;
    const renumbering = renumberings[worker]!;
    for (const { leaf, words, records, stretch } of shares.leaves) {
      const piece = stretch === undefined ? { shared: shared!, renumbering, records } : { stretch };
      byLeaf[leaf]!.push({ segment: number, piece, words });
    }
    if (shares.top !== undefined) top.push({ segment: number, piece: { stretch: shares.top } });
    else if (!toFile)
      top.push({ segment: number, piece: { shared: shared!, renumbering, records: undefined } });
    progress('sort', ++done, segments.length);
  });
  const copied = toFile ? segments.splice(0) : []; // they are needed no longer
  for (const path of new Set(copied.map(({ stretch }) => stretch?.path))) {
    if (path !== undefined) rmSync(path);
  }

  const inOrder = (a: { segment: number }, b: { segment: number }): number => a.segment - b.segment;
  const works: Work[] = byLeaf.flatMap((shares, leaf) => {
    if (shares.length === 0) return [];
    const pieces = shares.toSorted(inOrder).map(({ piece }) => piece);
    const words = shares.reduce((sum, share) => sum + share.words, 0);
    return { leaf, task: { kind: 'cut', unit: { kind: 'leaf', node: plan.leaves[leaf]! }, pieces, words } };
  });
  const pieces = top.toSorted(inOrder).map(({ piece }) => piece);
  const names = new Set(plan.leaves.map(nameOf));
  const topWords = pieces.reduce((sum, piece) => sum + wordsOf(piece), 0);
  for (const band of plan.bands) {
    works.push({
      leaf: -1,
      task: { kind: 'cut', unit: { kind: 'band', band, leaves: names }, pieces, words: topWords },
    });
  }
  return works;
}

function wordsOf(piece: Piece): number {
  return ('stretch' in piece ? piece.stretch.end - piece.stretch.start : piece.shared.byteLength) / 4;
}
