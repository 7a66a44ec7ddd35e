import { createFeature, type VisitFeature } from '../feature/feature.ts';
import { clearGeometry } from '../feature/geometry-buffer.ts';
import { SourceError, type ReadPartOptions, type SourceFile } from '../source/source.ts';
import { openDecoder } from '../text/open-decoder.ts';
import { createCellReader } from './cell-reader.ts';
import { isBlank } from './guess-delimiter.ts';
import type { CsvLayout } from './guess-layout.ts';
import { readCoordinates } from './read-coordinates.ts';
import { createCells, incomplete, scanRecord, unclosedQuote, type Cells } from './scan-record.ts';
import { openTextWindow, type TextWindow } from './text-window.ts';

/** Rows that follow each other. */
export interface RowRange {
  /** Offset in the file, in bytes. */
  readonly start: number;
  readonly end: number;
  readonly utf16: string | undefined;
  /** Number of the first row, from 1. */
  readonly firstRow: number;
  readonly firstLine: number;
}

export interface CsvRange extends RowRange {
  readonly layout: CsvLayout;
}

/** One record in the window. */
export interface Row {
  /** Row number, from 1. */
  row: number;
  line: number;
  /** Offset in the window, in bytes. */
  start: number;
  end: number;
  /** True if a quote of this line is never closed, so its cells are unknown. */
  isOpen: boolean;
}

export function firstRowOf({ firstRow, firstLine }: RowRange): Row {
  return { row: firstRow, line: firstLine, start: 0, end: 0, isOpen: false };
}

const neverClosed =
  'the quotation mark that opens here is never closed: close it, or double it if it belongs to the text';

/**
 * Reads the rows in the window; blank lines are skipped. A quote that is never closed would take all
 * that follows with it: it takes its line.
 * @param row moved on
 * @throws SourceError
 */
export function visitRowsOfWindow(
  window: TextWindow,
  row: Row,
  { delimiter, maxBytes, cells }: { delimiter: number; maxBytes: number; cells: Cells },
  visit: () => void,
): void {
  const place = () => ({ feature: row.row, row: row.row, line: row.line });
  while (window.at < window.end) {
    let next = scanRecord(window.bytes, window.at, window.end, delimiter, window.ended, cells);
    row.isOpen = next === unclosedQuote;
    if (row.isOpen) {
      next = window.bytes.indexOf(10, window.at) + 1;
      if (next === 0 || next > window.end) throw new SourceError('brokenFile', neverClosed, place());
      cells.innerLines = 0;
    }
    if ((next === incomplete ? window.end : next) - window.at > maxBytes) {
      throw new SourceError(
        'featureTooLarge',
        'the row is too long to be read: check whether a quotation mark is not closed',
        place(),
      );
    }
    if (next === incomplete) return;
    row.start = window.at;
    row.end = next;
    window.at = next;
    if (row.isOpen || !isBlank(cells)) {
      visit();
      row.row++;
    }
    row.line += 1 + cells.innerLines;
  }
}

/** @returns the number of features. @throws SourceError */
export function readRows(
  file: SourceFile,
  range: CsvRange,
  visit: VisitFeature,
  { maxFeatureBytes, onProgress, keepsHeights }: ReadPartOptions,
): number {
  const { layout } = range;
  const window = openTextWindow(file.path, range);
  const cells = createCells();
  const reader = createCellReader(cells, openDecoder(layout.encoding), layout.point);
  const { columns, coordinates } = layout;
  const isCoordinate = (column: number): boolean =>
    coordinates.kind === 'pair'
      ? column === coordinates.x || column === coordinates.y
      : column === coordinates.column;
  const attributes = columns.map((column, i) => ({ ...column, i })).filter(({ i }) => !isCoordinate(i));
  const names = columns.map(({ name }) => name);
  // Every name its own property from the start, `__proto__` too.
  const properties: Record<string, unknown> = Object.fromEntries(attributes.map(({ name }) => [name, null]));
  const feature = { ...createFeature(keepsHeights), isBroken: false, properties };
  const row = firstRowOf(range);
  const place = () => ({
    feature: row.row,
    row: row.row,
    line: row.line,
    ...(range.utf16 === undefined && { byte: window.passed + row.start }),
  });
  let filledBefore = 0;
  const visitRow = (): void => {
    if (row.isOpen) return visitOpen();
    reader.open(window.bytes, row.start, row.end);
    // Short rows must not cost what long ones do: behind them only what stood there before is cleared.
    const filled = cells.count;
    for (const { name, type, i } of attributes) {
      if (i >= Math.max(filled, filledBefore)) break;
      properties[name] = reader.value(i, type);
    }
    filledBefore = filled;
    const tooMany = tooManyCells(cells, columns.length);
    feature.isBroken = tooMany !== undefined;
    if (tooMany !== undefined) clearGeometry(feature.geometry);
    feature.problem = tooMany ?? readCoordinates(reader, coordinates, names, feature.geometry);
    visit(feature, place);
  };
  const visitOpen = (): void => {
    for (const { name } of attributes) properties[name] = null;
    clearGeometry(feature.geometry);
    feature.isBroken = true;
    feature.problem = neverClosed;
    visit(feature, place);
  };
  const how = { delimiter: layout.delimiter, maxBytes: maxFeatureBytes, cells };
  try {
    while (!window.ended || window.at < window.end) {
      window.fill();
      visitRowsOfWindow(window, row, how, visitRow);
      onProgress?.(Math.min(1, (window.passed + window.at - range.start) / (range.end - range.start || 1)));
    }
  } finally {
    window.close();
  }
  return row.row - range.firstRow;
}

/** More than the header names: the cells behind a stray delimiter are in wrong columns. Empty ones are harmless. */
function tooManyCells(cells: Cells, columns: number): string | undefined {
  for (let i = columns; i < cells.count; i++) {
    if (cells.ends[i]! > cells.starts[i]!)
      return `the row has ${cells.count} cells, but the table has ${columns} columns`;
  }
  return undefined;
}
