import { rmSync } from 'node:fs';
import type { JobContext } from '../job-type.ts';
import { runAll, type WorkerPool } from '../worker-pool.ts';
import type { Piece } from './cut-unit.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Reading } from './read-phase.ts';
import type { Segment } from './segments.ts';
import { expectAnswer, type Answer, type CutSetup, type Task } from './tasks.ts';
import type { UnitTiles } from './tile-log.ts';
import { nameOf } from './tree.ts';
import { passOn } from './warning-tally.ts';

const bytesPerWord = 4;

/** All tiles, in scratch files. */
export interface CutTiles {
  /** Along the Hilbert curve. */
  readonly leaves: readonly UnitTiles[];
  readonly tops: readonly UnitTiles[];
}

/** The records by place, ready to be cut. */
export interface Sorted {
  readonly cut: CutSetup;
  /** The largest first, so that no thread is left with one when the others have nothing to do. */
  readonly works: readonly Work[];
}

interface Work {
  readonly task: Extract<Task, { kind: 'cut' }>;
  /** Of the plan's leaves; -1: a band of zooms above them. */
  readonly leaf: number;
}

/** Cuts the sorted records into tiles, several units at a time. */
export async function cutAll(
  pool: WorkerPool<Task, Answer>,
  { progress, warn }: JobContext,
  { works }: Sorted,
  checkpoint: Checkpoint,
): Promise<CutTiles> {
  const total = works.reduce((sum, { task }) => sum + task.words, 0);
  const leaves: UnitTiles[] = [];
  const tops: UnitTiles[] = [];
  let done = 0;
  const take = ({ leaf, task }: Work, tiles: UnitTiles): void => {
    if (leaf < 0) tops.push(tiles);
    else leaves[leaf] = tiles;
    done += task.words;
    progress('cut', done * bytesPerWord, total * bytesPerWord);
  };
  for (const [unit, { tiles, warnings }] of checkpoint.made) {
    passOn(warnings, warn);
    take(works[unit]!, tiles);
  }
  const units = works
    .keys()
    .filter((unit) => !checkpoint.made.has(unit))
    .toArray();
  const tasks = units.map((unit) => works[unit]!.task);
  const keeps = tasks.some(({ pieces }) => pieces.some((piece) => 'stretch' in piece));
  await runAll(pool, tasks, (answer, number) => {
    const { tiles, warnings } = expectAnswer(answer, 'cut');
    const unit = units[number]!;
    passOn(warnings, warn);
    if (keeps) checkpoint.saveMade(unit, { tiles, warnings });
    take(works[unit]!, tiles);
  });
  return { leaves: leaves.filter((tiles) => tiles !== undefined), tops };
}

/** Sorts records by place: finds for each the units that need it, and copies it for them if not all fit into memory. */
export async function sortAll(
  pool: WorkerPool<Task, Answer>,
  { progress }: JobContext,
  { segments, renumberings }: Reading,
  cut: CutSetup,
): Promise<Sorted> {
  const { plan } = cut;
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

  const inOrder = (a: { segment: number }, b: { segment: number }): number => a.segment - b.segment;
  const works: Work[] = byLeaf.flatMap((shares, leaf) => {
    if (shares.length === 0) return [];
    const pieces = shares.toSorted(inOrder).map(({ piece }) => piece);
    const words = shares.reduce((sum, share) => sum + share.words, 0);
    return { leaf, task: { kind: 'cut', unit: { kind: 'leaf', node: plan.leaves[leaf]! }, pieces, words } };
  });
  const pieces = top.toSorted(inOrder).map(({ piece }) => piece);
  const leaves = new Set(plan.leaves.map(nameOf));
  const words = pieces.reduce((sum, piece) => sum + wordsOf(piece), 0);
  for (const band of plan.bands) {
    works.push({ leaf: -1, task: { kind: 'cut', unit: { kind: 'band', band, leaves }, pieces, words } });
  }
  return { cut, works: works.toSorted((a, b) => b.task.words - a.task.words) };
}

/** Removes the files that segments lie in, once they have been sorted. */
export function removeSegments(segments: readonly Segment[]): void {
  const paths = new Set(segments.map(({ stretch }) => stretch?.path));
  for (const path of paths) if (path !== undefined) rmSync(path, { force: true });
}

function wordsOf(piece: Piece): number {
  return (
    ('stretch' in piece ? piece.stretch.end - piece.stretch.start : piece.shared.byteLength) / bytesPerWord
  );
}
