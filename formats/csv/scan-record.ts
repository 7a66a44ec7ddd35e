/** The cells of one record, as byte ranges without quotes. Reused for every record. */
export interface Cells {
  count: number;
  starts: Int32Array;
  ends: Int32Array;
  /** 0 as it stands, 1 between quotes, 2 between quotes with doubled quotes in it. */
  quotes: Uint8Array;
  /** Line feeds within quotes. */
  innerLines: number;
  /** True if the last quoted cell contains doubled quotes. */
  doubled: boolean;
}

export function createCells(): Cells {
  const room = 64;
  return {
    count: 0,
    starts: new Int32Array(room),
    ends: new Int32Array(room),
    quotes: new Uint8Array(room),
    innerLines: 0,
    doubled: false,
  };
}

export const incomplete = -1;
export const unclosedQuote = -2;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Reads one record (RFC 4180; lines end with LF, CR LF or CR; a quote within an unquoted cell is a character).
 * @param last whether the text ends at `end`
 * @returns where the next one begins; `incomplete` if the text does not hold all of it; `unclosedQuote` if it ends
 *   within quotes
 */
// oxlint-disable-next-line max-params -- once for each record, and no object is made of them
export function scanRecord(
  bytes: Buffer,
  from: number,
  end: number,
  delimiter: number,
  last: boolean,
  cells: Cells,
): number {
  cells.count = 0;
  cells.innerLines = 0;
  let at = from;
  for (;;) {
    let start = at;
    let quotes = 0;
    let cellEnd = -1;
    if (bytes[at] === quote && at < end) {
      const close = closingQuote(bytes, at + 1, end, cells);
      if (close < 0) return last ? unclosedQuote : incomplete;
      const behind = bytes[close + 1];
      const closes = behind === delimiter || behind === lineFeed || behind === carriageReturn;
      if (close + 1 >= end && !last) return incomplete;
      at = close + 1;
      if (closes || at >= end) {
        quotes = cells.doubled ? 2 : 1;
        start++;
        cellEnd = close;
      }
    }
    let byte = 0;
    while (at < end) {
      byte = bytes[at]!;
      if (byte === delimiter || byte === lineFeed || byte === carriageReturn) break;
      at++;
    }
    // a CR at the end of the window may be half of a CR LF
    if (!last && (at >= end || (byte === carriageReturn && at + 1 >= end))) return incomplete;
    push(cells, start, cellEnd < 0 ? at : cellEnd, quotes);
    if (at >= end) return end;
    at++;
    if (byte === delimiter) continue;
    return byte === carriageReturn && at < end && bytes[at] === lineFeed ? at + 1 : at;
  }
}

/** The position of the quote that ends the cell, or -1. */
function closingQuote(bytes: Buffer, from: number, end: number, cells: Cells): number {
  cells.doubled = false;
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === lineFeed) cells.innerLines++;
    else if (byte === quote) {
      if (bytes[at + 1] !== quote || at + 1 >= end) return at;
      cells.doubled = true;
      at++;
    }
  }
  return -1;
}

function push(cells: Cells, start: number, end: number, quotes: number): void {
  const { count } = cells;
  if (count === cells.starts.length) {
    const grow = <T extends Int32Array | Uint8Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    cells.starts = grow(cells.starts, new Int32Array(count * 2));
    cells.ends = grow(cells.ends, new Int32Array(count * 2));
    cells.quotes = grow(cells.quotes, new Uint8Array(count * 2));
  }
  cells.starts[count] = start;
  cells.ends[count] = end;
  cells.quotes[count] = quotes;
  cells.count++;
}
