import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import type { Runs } from '@platen/geo/raster/runs';
import { openScratchFile } from '../../kit/scratch-file.ts';
import type { Rows, RowWriter } from './find-collar.ts';

/** Runs of the rows of an image in a scratch file; in memory are only 8 bytes a row. */
export interface RowFile extends Rows {
  readonly path: string;
  /** Where the runs of each row begin, in bytes; the last is the size of the file. */
  readonly starts: Float64Array;
}

/** Rows come from the first to the last, or the other way round. */
export function writeRows(path: string, height: number): RowWriter<RowFile> {
  const file = openScratchFile(path);
  const starts = new Float64Array(height + 1);
  const ends = new Float64Array(height);
  return {
    add(row, runs) {
      starts[row] = file.length;
      file.append(new Uint8Array(Uint32Array.from(runs).buffer));
      ends[row] = file.length;
    },
    finish() {
      starts[height] = file.length;
      file.flush();
      const { length } = file;
      file.close();
      const input = length === 0 ? undefined : openSync(path, 'r');
      return {
        path,
        starts,
        read(row) {
          const bytes = ends[row]! - starts[row]!;
          return input === undefined || bytes === 0 ? [] : readRuns(input, starts[row]!, bytes);
        },
        remove() {
          if (input !== undefined) closeSync(input);
          rmSync(path, { force: true });
        },
      };
    },
  };
}

function readRuns(file: number, start: number, bytes: number): Runs {
  const runs = new Uint32Array(bytes / 4);
  readSync(file, new Uint8Array(runs.buffer), 0, bytes, start);
  return Array.from(runs);
}
