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
import type { Sorted } from './cut-phase.ts';
import type { Reading } from './read-phase.ts';
import type { Stretch } from './scratch.ts';
import { changePaths, stretchesOf, type MadeUnit } from './stretches.ts';
import type { CountedWarning } from './warning-tally.ts';

/** What an earlier process of the same job, which has died, had done by then, in the scratch folder that it has left. */
export interface Checkpoint {
  /** How many processes have worked on it before; names of files that another may have half-written differ by it. */
  readonly attempt: number;
  readonly reading: Reading | undefined;
  /** What was noticed while it was read. */
  readonly warnings: readonly CountedWarning[];
  readonly sorted: Sorted | undefined;
  /** By the number of the unit. */
  readonly made: ReadonlyMap<number, MadeUnit>;
  saveReading(reading: Reading, warnings: readonly CountedWarning[]): void;
  saveSorted(sorted: Sorted): void;
  saveMade(unit: number, made: MadeUnit): void;
}

/** What all that was done lies in; other files in the folder were not finished. */
interface Done {
  readonly reading: { readonly reading: Reading; readonly warnings: readonly CountedWarning[] } | undefined;
  readonly sorted: Sorted | undefined;
  readonly made: ReadonlyMap<number, MadeUnit>;
}

const nothing: Done = { reading: undefined, sorted: undefined, made: new Map() };
const notes = ['identity', 'attempts', 'reading', 'sorted', 'made'];

/**
 * Begins, or goes on, in the folder. Only data too large for the memory, which lies in files anyway, is kept track of:
 * all else is read again within seconds. Nothing is forced to the disk: it outlives the process, not the machine. Files
 * are noted by their names, as the next process has the folder elsewhere.
 * @param identity tells this job with these inputs from any other
 */
export function openCheckpoint(folder: string, identity: string): Checkpoint {
  const path = (name: string): string => join(folder, name);
  if (!isOurs(path('identity'), identity)) begin(folder, identity);
  let done = load(folder);
  if (done === undefined) {
    begin(folder, identity);
    done = nothing;
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
    made: done.made,
    saveReading: (reading, warnings) => save('reading', { reading, warnings }),
    saveSorted: (sorted) => save('sorted', sorted),
    saveMade: (unit, made) =>
      appendFileSync(path('made'), `${JSON.stringify([unit, changePaths(made, basename)])}\n`),
  };
}

function isOurs(path: string, identity: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8') === identity;
}

function begin(folder: string, identity: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'identity'), identity);
}

/** undefined: it is not what was written. */
function load(folder: string): Done | undefined {
  const path = (name: string): string => join(folder, name);
  const take = (name: string): unknown =>
    existsSync(path(name)) ? changePaths(deserialize(readFileSync(path(name))), path) : undefined;
  try {
    const done: Done = {
      reading: take('reading') as Done['reading'],
      sorted: take('sorted') as Sorted | undefined,
      made: existsSync(path('made')) ? new Map(linesOf(path('made'), path)) : new Map(),
    };
    return usedBy(done).every(isWhole) ? done : undefined;
  } catch {
    return undefined;
  }
}

/** A last line without its end was being written when the process died. */
function linesOf(path: string, change: (name: string) => string): [number, MadeUnit][] {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  truncateSync(path, end); // the next line must not become a part of it
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  return lines.map((line) => {
    const [unit, { tiles, warnings }] = JSON.parse(line) as [number, MadeUnit];
    const zooms = tiles.map((zoom) => zoom ?? undefined); // JSON knows but null
    return [unit, changePaths({ tiles: zooms, warnings }, change)];
  });
}

/** The segments of the reading go when they have been sorted. */
function usedBy({ reading, sorted, made }: Done): Stretch[] {
  return [sorted ?? reading, reading?.reading.rejects, ...made.values()].flatMap(stretchesOf);
}

function isWhole({ path, end }: Stretch): boolean {
  return statSync(path).size >= end;
}

/** Otherwise each process that dies would leave its own behind, and the last one would find no room. */
function removeUnfinished(folder: string, done: Done): void {
  const kept = new Set([...notes, ...usedBy(done).map(({ path }) => basename(path))]);
  for (const name of readdirSync(folder))
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
}
