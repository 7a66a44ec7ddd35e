import { JobFailure, type JobContext } from '../job-type.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import { runAll } from '../kit/run-all.ts';
import { emitWarnings, mergeWarnings } from '../kit/warning-counter.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import type { PointCheckpoint } from './checkpoint.ts';
import type { RecordColumns } from './record-columns.ts';
import type { Settings } from './settings.ts';
import type { PointSheet } from './sheets/sheet.ts';
import { addStatistics, createStatistics, type PointStatistics } from './statistics.ts';
import type { Answer, ReadAnswer, Task } from './tasks.ts';

export interface ReadPoints {
  readonly statistics: PointStatistics;
  /** Rows of each bucket by its number. */
  readonly ranges: ReadonlyMap<number, readonly FileRange[]>;
  /** The same of the older cloud. */
  readonly older: ReadonlyMap<number, readonly FileRange[]>;
}

interface Reading {
  readonly sheets: readonly PointSheet[];
  /** The number of the first sheet of the older cloud. */
  readonly olderFrom: number;
  readonly settings: Settings;
  readonly columns: RecordColumns;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: PointCheckpoint;
  /** Points that a thread may hold. */
  readonly maxPoints: number;
  readonly context: JobContext;
}

type ReadTask = Extract<Task, { kind: 'read' }>;

/** Reads all sheets, by parts, into the buckets. @throws JobFailure */
export async function readSheets(reading: Reading): Promise<ReadPoints> {
  const { sheets, olderFrom, settings, pool, checkpoint, context } = reading;
  const tasks = tasksOf(sheets, reading.maxPoints);
  const done = new Map<number, ReadAnswer>();
  for (const unit of checkpoint.units) if (unit.kind === 'read') done.set(unit.task, unit);
  const total = sheets.reduce((sum, { partPoints }) => sum + sumOf(partPoints), 0);
  let read = 0;
  const count = (answer: ReadAnswer): void => {
    done.set(answer.task, answer);
    const { sheet, firstPart, endPart } = tasks[answer.task]!;
    read += sumOf(sheets[sheet]!.partPoints.slice(firstPart, endPart));
    context.progress('read', read, total);
  };
  for (const answer of done.values()) count(answer);
  const open = tasks.filter(({ task }) => !done.has(task));
  await runAll(pool, open, (answer) => {
    if (answer.kind !== 'read') return;
    const isAlone = (tasks[answer.task]!.sheet < olderFrom ? olderFrom : sheets.length - olderFrom) === 1;
    if (answer.failure && (settings.strict || isAlone))
      throw new JobFailure(answer.failure.code, answer.failure.message);
    checkpoint.append(answer);
    count(answer);
  });
  const statistics = createStatistics(reading.columns);
  const ranges = new Map<number, FileRange[]>();
  const older = new Map<number, FileRange[]>();
  const answers = tasks.map(({ task }) => done.get(task)!);
  for (const answer of answers) {
    const isOlder = tasks[answer.task]!.sheet >= olderFrom;
    if (!isOlder) addStatistics(statistics, answer.statistics);
    const target = isOlder ? older : ranges;
    for (const [bucket, range] of answer.ranges) {
      const own = target.get(bucket);
      if (own) own.push(range);
      else target.set(bucket, [range]);
    }
  }
  emitWarnings(mergeWarnings(answers.flatMap(({ warnings }) => warnings)), context.warn);
  for (const [i, { name }] of reading.columns.extras.entries()) {
    const rounded = statistics.rounded[i]!;
    if (rounded > 0)
      context.warn(
        'roundedNumbers',
        `Numbers of the attribute “${name}” have more than seven digits, which tiles round.`,
        { attribute: name },
        rounded,
      );
  }
  return { statistics, ranges, older };
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
