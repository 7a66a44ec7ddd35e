import { firstRowOf, visitRowsOfWindow, type RowRange } from './read-rows.ts';
import { createCells } from './scan-record.ts';
import { openTextWindow } from './text-window.ts';

/** Limit of a row while dividing; readers apply the limit they are given. */
const maxBytes = 2 ** 28;

export interface DivideOptions {
  readonly delimiter: number;
  readonly partBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Cuts rows into ranges of about `partBytes`. A line end may be within quotes, so the whole text must be scanned.
 * @returns the ranges, and the number of rows
 * @throws SourceError
 */
export async function divideRows(
  path: string,
  all: RowRange,
  { delimiter, partBytes, signal }: DivideOptions,
): Promise<{ ranges: RowRange[]; rows: number }> {
  const window = openTextWindow(path, all);
  const row = firstRowOf(all);
  const how = { delimiter, maxBytes, cells: createCells() };
  const ranges: RowRange[] = [];
  let current = all;
  try {
    while (!window.ended || window.at < window.end) {
      window.fill();
      visitRowsOfWindow(window, row, how, () => {
        const start = window.passed + row.start;
        if (all.utf16 !== undefined || start - current.start < partBytes) return;
        ranges.push({ ...current, end: start });
        current = { ...all, start, firstRow: row.row, firstLine: row.line };
      });
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
  } finally {
    window.close();
  }
  return { ranges: [...ranges, current], rows: row.row - all.firstRow };
}
