import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

import type { Reading } from './read-phase.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import type { SortedRecords } from './sort-phase.ts';
import { changePaths, fileRangesIn, type UnitResult } from '../kit/file-ranges.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';

/** Increase it when the shape of the saved values changes: a checkpoint in another format is discarded. */
export const checkpointFormat = 2;

/** The progress that an earlier, dead process of the same job left in the scratch folder. */
export interface Checkpoint {
  /** Number of earlier processes. It is part of file names, so that a half-written file is never reused. */
  readonly attempt: number;
  readonly reading: Reading | undefined;
  /** Warnings reported while reading. */
  readonly warnings: readonly CountedWarning[];
  readonly sorted: SortedRecords | undefined;
  /** By index of the unit. */
  readonly unitResults: ReadonlyMap<number, UnitResult>;
  saveReading(reading: Reading, warnings: readonly CountedWarning[]): void;
  saveSorted(sorted: SortedRecords): void;
  saveUnitResult(unit: number, made: UnitResult): void;
}

/** The saved progress. Files in the folder that it does not refer to are unfinished. */
interface SavedProgress {
  readonly reading: { readonly reading: Reading; readonly warnings: readonly CountedWarning[] } | undefined;
  readonly sorted: SortedRecords | undefined;
  readonly unitResults: ReadonlyMap<number, UnitResult>;
}

const noProgress: SavedProgress = { reading: undefined, sorted: undefined, unitResults: new Map() };
const bookkeepingFiles = ['identity', 'attempts', 'reading', 'sorted', 'made'];

/**
 * Starts or resumes in the folder. Only data too large for memory, which is in files anyway, is tracked; anything else
 * is
 * read again within seconds. Nothing is synced to disk: a checkpoint survives the process, not the machine. Files are
 * recorded by name, because the next process has the folder at another path.
 * @param identity distinguishes this job with these inputs from any other
 */
export function openCheckpoint(folder: string, identity: string): Checkpoint {
  const path = (name: string): string => join(folder, name);
  if (!isSameJob(path('identity'), identity)) begin(folder, identity);
  let done = load(folder);
  if (done === undefined) {
    begin(folder, identity);
    done = noProgress;
  }
  const attempt = existsSync(path('attempts')) ? readFileSync(path('attempts')).length : 0;
  appendFileSync(path('attempts'), '+');
  if (attempt > 0) removeUnfinished(folder, done);
  const save = (name: string, value: unknown): void => {
    writeFileSync(path(`${name}.unfinished`), serialize(changePaths(value, basename)));
    renameSync(path(`${name}.unfinished`), path(name));
  };
  return {
    attempt,
    reading: done.reading?.reading,
    warnings: done.reading?.warnings ?? [],
    sorted: done.sorted,
    unitResults: done.unitResults,
    saveReading: (reading, warnings) => save('reading', { reading, warnings }),
    saveSorted: (sorted) => save('sorted', sorted),
    saveUnitResult: (unit, made) =>
      appendFileSync(path('made'), `${JSON.stringify([unit, changePaths(made, basename)])}\n`),
  };
}

function isSameJob(path: string, identity: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8') === identity;
}

function begin(folder: string, identity: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'identity'), identity);
}

/** Returns undefined if the files are not what was written. */
function load(folder: string): SavedProgress | undefined {
  const path = (name: string): string => join(folder, name);
  const take = (name: string): unknown =>
    existsSync(path(name)) ? changePaths(deserialize(readFileSync(path(name))), path) : undefined;
  try {
    const done: SavedProgress = {
      reading: take('reading') as SavedProgress['reading'],
      sorted: take('sorted') as SortedRecords | undefined,
      unitResults: existsSync(path('made')) ? new Map(linesOf(path('made'), path)) : new Map(),
    };
    return fileRangesOf(done).every(isWhole) ? done : undefined;
  } catch {
    return undefined;
  }
}

/** A last line without a line feed was being written when the process died. */
function linesOf(path: string, change: (name: string) => string): [number, UnitResult][] {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  truncateSync(path, end); // so that the next line is not appended to the incomplete one
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  return lines.map((line) => {
    const [unit, { tiles, warnings }] = JSON.parse(line) as [number, UnitResult];
    const zooms = tiles.map((zoom) => zoom ?? undefined); // JSON turns undefined into null
    return [unit, changePaths({ tiles: zooms, warnings }, change)];
  });
}

/** Segments are removed once they have been sorted. */
function fileRangesOf({ reading, sorted, unitResults }: SavedProgress): FileRange[] {
  return [sorted ?? reading, reading?.reading.rejects, ...unitResults.values()].flatMap(fileRangesIn);
}

function isWhole({ path, end }: FileRange): boolean {
  return statSync(path).size >= end;
}

/** Otherwise the files of each dead process would accumulate until the disk is full. */
function removeUnfinished(folder: string, done: SavedProgress): void {
  const kept = new Set([...bookkeepingFiles, ...fileRangesOf(done).map(({ path }) => basename(path))]);
  for (const name of readdirSync(folder))
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
}
