import { rmSync } from 'node:fs';
import type { JobContext } from '../job-type.ts';
import { expectAnswer } from '../kit/expect-answer.ts';
import { runAll } from '../kit/run-all.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import type { RecordSource } from './cut-unit.ts';
import type { Reading } from './read-phase.ts';
import type { Segment } from './segments.ts';
import type { Answer, CutSetup, Task } from './tasks.ts';
import { nameOf } from './tree.ts';

export const bytesPerWord = 4;

/** The records by place, ready to be cut. */
export interface SortedRecords {
  readonly cut: CutSetup;
  /** The largest first, so that no thread is still busy with a large one at the end. */
  readonly cutTasks: readonly CutTask[];
}

export interface CutTask {
  readonly task: Extract<Task, { kind: 'cut' }>;
  /** Index in the plan's leaves; -1 for a band of zooms above them. */
  readonly leaf: number;
}

/**
 * Sorts records by place: finds the units that need each record, and copies the records for them if they exceed the
 * memory.
 */
export async function sortAll(
  pool: WorkerPool<Task, Answer>,
  { progress }: JobContext,
  { segments, renumberings }: Reading,
  cut: CutSetup,
): Promise<SortedRecords> {
  const { plan } = cut;
  const toFile = segments.some(({ range }) => range !== undefined);
  const byLeaf = plan.leaves.map((): { segment: number; source: RecordSource; words: number }[] => []);
  const top: { segment: number; source: RecordSource }[] = [];
  let done = 0;
  const tasks = segments.map((segment): Task => {
    return { kind: 'divide', segment, renumbering: renumberings[segment.worker]!, toFile };
  });
  await runAll(pool, tasks, (answer, number) => {
    const { shares } = expectAnswer(answer, 'divided');
    const { shared, worker } = segments[number]!;
    const renumbering = renumberings[worker]!;
    for (const { leaf, words, records, range } of shares.leaves) {
      const source = range === undefined ? { shared: shared!, renumbering, records } : { range };
      byLeaf[leaf]!.push({ segment: number, source, words });
    }
    if (shares.top !== undefined) top.push({ segment: number, source: { range: shares.top } });
    else if (!toFile)
      top.push({ segment: number, source: { shared: shared!, renumbering, records: undefined } });
    progress('sort', ++done, segments.length);
  });

  const inOrder = (a: { segment: number }, b: { segment: number }): number => a.segment - b.segment;
  const cutTasks: CutTask[] = byLeaf.flatMap((shares, leaf) => {
    if (shares.length === 0) return [];
    const sources = shares.toSorted(inOrder).map(({ source }) => source);
    const words = shares.reduce((sum, share) => sum + share.words, 0);
    return { leaf, task: { kind: 'cut', unit: { kind: 'leaf', node: plan.leaves[leaf]! }, sources, words } };
  });
  const sources = top.toSorted(inOrder).map(({ source }) => source);
  const leaves = new Set(plan.leaves.map(nameOf));
  const words = sources.reduce((sum, source) => sum + wordsOf(source), 0);
  for (const band of plan.bands) {
    cutTasks.push({ leaf: -1, task: { kind: 'cut', unit: { kind: 'band', band, leaves }, sources, words } });
  }
  return { cut, cutTasks: cutTasks.toSorted((a, b) => b.task.words - a.task.words) };
}

/** Removes the files of segments that have been sorted. */
export function removeSegments(segments: readonly Segment[]): void {
  const paths = new Set(segments.map(({ range }) => range?.path));
  for (const path of paths) if (path !== undefined) rmSync(path, { force: true });
}

function wordsOf(source: RecordSource): number {
  return (
    ('range' in source ? source.range.end - source.range.start : source.shared.byteLength) / bytesPerWord
  );
}
