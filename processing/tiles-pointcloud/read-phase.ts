import { JobFailure, type JobContext } from '../job-type.ts';
import { runAll } from '../kit/run-all.ts';
import { mergeWarnings, type CountedWarning } from '../kit/warning-counter.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import { indexRanges, type BucketIndex, type BucketRanges } from './bucket-ranges.ts';
import type { MadeUnits } from './checkpoint.ts';
import type { RecordColumns } from './record-columns.ts';
import type { Settings } from './settings.ts';
import type { PointSheet } from './sheets/sheet.ts';
import { addStatistics, createStatistics, type PointStatistics } from './statistics.ts';
import type { Answer, ReadAnswer, Task } from './tasks.ts';

export interface ReadPoints {
  /** By the number of the sheet. */
  readonly sheets: ReadonlyMap<number, ReadSheet>;
  /** Rows of each bucket by its number. */
  readonly rows: BucketIndex;
  /** The same of the older cloud. */
  readonly older: BucketIndex;
}

/** What is known of a sheet whose points were read. */
export interface ReadSheet {
  readonly statistics: PointStatistics;
  readonly warnings: readonly CountedWarning[];
}

interface Reading {
  readonly sheets: readonly PointSheet[];
  /** The number of the first sheet of the older cloud. */
  readonly olderFrom: number;
  /** Whether each sheet is read at all. */
  readonly isRead: readonly boolean[];
  readonly settings: Settings;
  readonly columns: RecordColumns;
  readonly pool: WorkerPool<Task, Answer>;
  readonly made: MadeUnits;
  /** Points that a thread may hold. */
  readonly maxPoints: number;
  readonly context: JobContext;
}

type ReadTask = Extract<Task, { kind: 'read' }>;

/** Reads sheets, by parts, into the buckets. @throws JobFailure */
export async function readSheets(reading: Reading): Promise<ReadPoints> {
  const { sheets, olderFrom, settings, pool, made, context } = reading;
  const all = tasksOf(sheets, reading.maxPoints);
  const tasks = all.filter(({ sheet }) => reading.isRead[sheet] === true);
  const done = new Map<number, ReadAnswer>();
  for (const unit of made.units) if (unit.kind === 'read') done.set(unit.task, unit);
  const pointsOf = ({ sheet, firstPart, endPart }: ReadTask): number =>
    sumOf(sheets[sheet]!.partPoints.slice(firstPart, endPart));
  const total = tasks.reduce((sum, task) => sum + pointsOf(task), 0);
  let read = 0;
  const count = (answer: ReadAnswer): void => {
    done.set(answer.task, answer);
    read += pointsOf(all[answer.task]!);
    context.progress('read', read, total);
  };
  context.progress('read', read, total);
  for (const answer of done.values()) count(answer);
  const open = tasks.filter(({ task }) => !done.has(task));
  await runAll(pool, open, (answer) => {
    if (answer.kind !== 'read') return;
    const isAlone = (all[answer.task]!.sheet < olderFrom ? olderFrom : sheets.length - olderFrom) === 1;
    if (answer.failure && (settings.strict || isAlone))
      throw new JobFailure(answer.failure.code, answer.failure.message);
    made.append(answer);
    count(answer);
  });
  const rows: BucketRanges[] = [];
  const older: BucketRanges[] = [];
  const bySheet = new Map<number, ReadSheet>();
  for (const { task, sheet } of tasks) {
    const answer = done.get(task)!;
    const { statistics, warnings } = bySheet.get(sheet) ?? {
      statistics: createStatistics(reading.columns),
      warnings: [],
    };
    addStatistics(statistics, answer.statistics);
    bySheet.set(sheet, { statistics, warnings: mergeWarnings([...warnings, ...answer.warnings]) });
    (sheet >= olderFrom ? older : rows).push(...answer.ranges);
  }
  return { sheets: bySheet, rows: indexRanges(rows), older: indexRanges(older) };
}

/** Parts of a sheet that a thread reads at once. */
function tasksOf(sheets: readonly PointSheet[], maxPoints: number): ReadTask[] {
  const tasks: ReadTask[] = [];
  for (const [sheet, { partPoints }] of sheets.entries()) {
    for (let firstPart = 0; firstPart < partPoints.length;) {
      let endPart = firstPart;
      let points = 0;
      while (
        endPart < partPoints.length &&
        (endPart === firstPart || points + partPoints[endPart]! <= maxPoints)
      )
        points += partPoints[endPart++]!;
      tasks.push({ kind: 'read', task: tasks.length, sheet, firstPart, endPart });
      firstPart = endPart;
    }
  }
  return tasks;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
