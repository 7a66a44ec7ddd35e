import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Sorted } from './cut-phase.ts';
import type { Reading } from './read-phase.ts';
import type { UnitTiles } from './tile-log.ts';

/** What an earlier process of the same job, which has died, had done by then, in the scratch folder that they share. */
export interface Checkpoint {
  /** How many processes have worked on it before; names of files that another may have half-written differ by it. */
  readonly attempt: number;
  readonly reading: Reading | undefined;
  readonly sorted: Sorted | undefined;
  /** By the number of the unit. */
  readonly made: ReadonlyMap<number, UnitTiles>;
  saveReading(reading: Reading): void;
  saveSorted(sorted: Sorted): void;
  saveMade(unit: number, tiles: UnitTiles): void;
}

/**
 * Begins, or goes on, in the folder. Only data too large for the memory, which lies in files anyway, is kept track of:
 * all else is read again within seconds. Nothing is forced to the disk: it outlives the process, not the machine.
 * @param identity tells this job with these inputs from any other
 */
export function openCheckpoint(folder: string, identity: string): Checkpoint {
  const path = (name: string): string => join(folder, name);
  if (!existsSync(path('identity')) || readFileSync(path('identity'), 'utf8') !== identity) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(path('identity'), identity);
  }
  const load = (name: string): unknown =>
    existsSync(path(name)) ? deserialize(readFileSync(path(name))) : undefined;
  const save = (name: string, value: unknown): void => {
    writeFileSync(path(`${name}.unfinished`), serialize(value));
    renameSync(path(`${name}.unfinished`), path(name));
  };
  const attempt = existsSync(path('attempts')) ? readFileSync(path('attempts')).length : 0;
  appendFileSync(path('attempts'), '+');
  return {
    attempt,
    reading: load('reading') as Reading | undefined,
    sorted: load('sorted') as Sorted | undefined,
    made: new Map(existsSync(path('made')) ? linesOf(readFileSync(path('made'), 'utf8')) : []),
    saveReading: (reading) => save('reading', reading),
    saveSorted: (sorted) => save('sorted', sorted),
    saveMade: (unit, tiles) => appendFileSync(path('made'), `${JSON.stringify([unit, tiles])}\n`),
  };
}

/** A last line without its end was being written when the process died. */
function linesOf(text: string): [number, UnitTiles][] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [unit, tiles] = JSON.parse(line) as [number, (UnitTiles[number] | null)[]];
      return [unit, tiles.map((zoom) => zoom ?? undefined)];
    });
}
