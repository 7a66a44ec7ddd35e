import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { threadId } from 'node:worker_threads';
import { openScratchFile, readRange } from '../../kit/scratch-file.ts';
import type { SheetWindow } from '../read-sheets.ts';
import { findCollar, type CollarScan } from './find-collar.ts';
import { writeRows } from './row-file.ts';

/** The collars of sheets. Those of each sheet are looked for when a thread first needs them. */
export interface Collars {
  /** Looks for the collar of a sheet, unless it is known. @throws JobFailure where the sheet cannot be read */
  find(number: number): Promise<void>;
  /** Hides the collar, which has been found, in RGBA of a window. */
  hide(rgba: Uint8Array, number: number, window: SheetWindow): Promise<void>;
}

/**
 * @param path of the files of collars, which all threads share; their names begin with it
 * @param scanOf what is needed to find the collar of a sheet
 */
export function openCollars(
  path: string,
  scanOf: (number: number) => Omit<CollarScan, 'writeRows'>,
): Collars {
  const known = new Set<number>();
  return {
    async find(number) {
      if (known.has(number)) return;
      const own = `${path}-${number}`;
      // two threads may look for the same, and find the same
      if (!existsSync(own)) await writeCollar(scanOf(number), `${own}-${threadId}`, own);
      known.add(number);
    },
    async hide(rgba, number, window) {
      const file = await open(`${path}-${number}`);
      try {
        await hideRuns(rgba, window, async (start, length) => {
          const bytes = new Uint8Array(length);
          const { bytesRead } = await file.read(bytes, 0, length, start);
          return bytesRead < length ? undefined : bytes.buffer;
        });
      } finally {
        await file.close();
      }
    },
  };
}

/** Where the runs of each row begin, then the runs; nothing if there is no collar. */
async function writeCollar(
  scan: Omit<CollarScan, 'writeRows'>,
  scratchPath: string,
  path: string,
): Promise<void> {
  const rows = await findCollar({
    ...scan,
    writeRows: (name, height) => writeRows(`${scratchPath}-${name}`, height),
  });
  const made = `${scratchPath}-new`;
  if (rows) {
    const file = openScratchFile(made);
    const header = rows.starts.byteLength;
    file.append(new Uint8Array(rows.starts.map((start) => start + header).buffer));
    for (const part of readRange({ path: rows.path, start: 0, end: rows.starts.at(-1)! })) file.append(part);
    file.flush();
    file.close();
    rows.remove();
  } else writeFileSync(made, '');
  renameSync(made, path);
}

type ReadBytes = (start: number, length: number) => Promise<ArrayBuffer | undefined>;

async function hideRuns(rgba: Uint8Array, window: SheetWindow, read: ReadBytes): Promise<void> {
  const { column, row, width, height } = window;
  const header = await read(row * 8, (height + 1) * 8);
  if (!header) return;
  const starts = new Float64Array(header);
  const bytes = starts[height]! - starts[0]!;
  const runs = bytes === 0 ? undefined : await read(starts[0]!, bytes);
  if (!runs) return;
  const columns = new Uint32Array(runs);
  for (let y = 0; y < height; y++) {
    const end = (starts[y + 1]! - starts[0]!) / 4;
    for (let at = (starts[y]! - starts[0]!) / 4; at < end; at += 2) {
      const from = Math.max(0, columns[at]! - column);
      const to = Math.min(width, columns[at + 1]! - column);
      if (from < to) rgba.fill(0, (y * width + from) * 4, (y * width + to) * 4);
    }
  }
}
