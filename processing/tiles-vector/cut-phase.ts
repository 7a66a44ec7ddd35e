import type { JobContext } from '../job-type.ts';
import { expectAnswer } from '../kit/expect-answer.ts';
import { runAll } from '../kit/run-all.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import type { TilingCheckpoint } from './checkpoint.ts';
import { bytesPerWord, type CutTask, type SortedRecords } from './sort-phase.ts';
import type { Answer, Task } from './tasks.ts';
import type { UnitTiles } from '../kit/tile-log.ts';
import type { MadeTiles } from '../kit/merge-tiles.ts';
import { emitWarnings } from '../kit/warning-counter.ts';

/** Cuts the sorted records into tiles, several units at a time. */
export async function cutAll(
  pool: WorkerPool<Task, Answer>,
  { progress, warn }: JobContext,
  { cutTasks }: SortedRecords,
  checkpoint: TilingCheckpoint,
): Promise<MadeTiles> {
  const total = cutTasks.reduce((sum, { task }) => sum + task.words, 0);
  const leaves: UnitTiles[] = [];
  const tops: UnitTiles[] = [];
  let done = 0;
  const take = ({ leaf, task }: CutTask, tiles: UnitTiles): void => {
    if (leaf < 0) tops.push(tiles);
    else leaves[leaf] = tiles;
    done += task.words;
    progress('cut', done * bytesPerWord, total * bytesPerWord);
  };
  for (const { unit, tiles, warnings } of checkpoint.units) {
    emitWarnings(warnings, warn);
    take(cutTasks[unit]!, tiles);
  }
  const finished = new Set(checkpoint.units.map(({ unit }) => unit));
  const units = cutTasks
    .keys()
    .filter((unit) => !finished.has(unit))
    .toArray();
  const tasks = units.map((unit) => cutTasks[unit]!.task);
  const isCheckpointed = tasks.some(({ sources }) => sources.some((source) => 'range' in source));
  await runAll(pool, tasks, (answer, number) => {
    const { tiles, warnings } = expectAnswer(answer, 'cut');
    const unit = units[number]!;
    emitWarnings(warnings, warn);
    if (isCheckpointed) checkpoint.append({ unit, tiles, warnings });
    take(cutTasks[unit]!, tiles);
  });
  return { leaves: leaves.filter((tiles) => tiles !== undefined), tops };
}
