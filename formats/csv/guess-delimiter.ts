import { createCells, scanRecord, type Cells } from './scan-record.ts';

/** The beginning of a text. */
export interface Head {
  readonly bytes: Buffer;
  readonly start: number;
  /** True if this is the whole text. */
  readonly whole: boolean;
}

/** Number of records examined. */
const maxRecords = 500;
const candidates = [',', ';', '\t', '|'].map((letter) => letter.charCodeAt(0));

/** A line of nothing. */
export function isBlank(cells: Cells): boolean {
  return cells.count === 1 && cells.starts[0] === cells.ends[0] && cells.quotes[0] === 0;
}

/** Visits the records that are whole and not blank, until it is false. */
export function eachRecord(
  { bytes, start, whole }: Head,
  delimiter: number,
  cells: Cells,
  visit: (start: number, end: number) => boolean,
): void {
  for (let at = start; at < bytes.length;) {
    const next = scanRecord(bytes, at, bytes.length, delimiter, whole, cells);
    if (next < 0 || (!isBlank(cells) && !visit(at, next))) return;
    at = next;
  }
}

/** Finds the delimiter that splits all records into the same number of cells, more than one. */
export function guessDelimiter(head: Head): number | undefined {
  const cells = createCells();
  let best: number | undefined;
  let bestScore = 0;
  for (const delimiter of candidates) {
    let records = 0;
    let alike = 0;
    let columns = 0;
    eachRecord(head, delimiter, cells, () => {
      if (records++ === 0) columns = cells.count;
      if (cells.count === columns) alike++;
      return columns > 1 && records < maxRecords;
    });
    // Agreement counts most; among equals, the more columns.
    const score = columns > 1 && alike * 2 > records ? alike / records + Math.min(columns, 1000) / 1e6 : 0;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** The byte between the whole and the fraction of numbers: a comma where cells have more of these than points. */
export function guessPoint(head: Head, delimiter: number): number {
  const cells = createCells();
  let records = 0;
  let commas = 0;
  let points = 0;
  eachRecord(head, delimiter, cells, () => {
    for (let i = 0; i < cells.count; i++) {
      if (cells.ends[i]! - cells.starts[i]! > 40) continue;
      const match = /^\s*-?\d+([.,])\d+\s*$/.exec(
        head.bytes.toString('latin1', cells.starts[i], cells.ends[i]),
      );
      if (match?.[1] === ',') commas++;
      else if (match !== null) points++;
    }
    return ++records < maxRecords;
  });
  return commas > points ? 44 : 46;
}
