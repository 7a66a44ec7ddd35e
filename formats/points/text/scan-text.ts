import { transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import { BytesError, type Bytes } from '../../bytes/bytes.ts';
import { eachLine } from '../../mesh/each-line.ts';
import { partPoints } from '../point-file.ts';
import { createTableScan, hasPlace, scanRow, type TableScan } from '../point-table.ts';
import { isSilent, readRow } from './read-row.ts';
import type { TextLayout } from './text-layout.ts';

/** Lines that are read together. Plain data. */
export interface TextPart {
  readonly offset: number;
  readonly length: number;
  readonly points: number;
  /** The number of its matrix among those of the file. */
  readonly scan: number;
}

/** What a pass over a whole text has found. Plain data. */
export interface TextScan extends TableScan {
  readonly layout: TextLayout;
  readonly parts: readonly TextPart[];
  readonly matrices: readonly Matrix[];
  /** Rows that are no points, and the number of the first such line. */
  readonly unreadable: number;
  readonly firstUnreadable: number;
  /** Points that the text promises and does not have. */
  readonly missing: number;
}

/** Where the rows are. */
export interface TextRange {
  readonly start: number;
  /** Rows that belong to it, silent lines apart; undefined: all. */
  readonly rows?: number;
}

const maxPartBytes = 16 << 20;
const blockBytes = 1 << 20;

export async function* readBlocks(bytes: Bytes, start: number, end = bytes.size): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end;) {
    const block = await bytes.read(at, Math.min(blockBytes, end - at));
    if (block.length === 0) return;
    at += block.length;
    yield block;
  }
}

/** Reads a text once: its box, its ranges of values, and where parts of it begin. @throws BytesError if it is no text of points */
export async function scanText(
  bytes: Bytes,
  layout: TextLayout,
  { start, rows: maxRows = Infinity }: TextRange = { start: layout.start },
): Promise<TextScan> {
  const { columns, point, kind, width } = layout;
  const scan = createTableScan();
  const values = new Float64Array(width + 1);
  const parts: TextPart[] = [];
  const counts = { unreadable: 0, firstUnreadable: 0, promised: 0, rows: 0 };
  const ptx = kind === 'ptx' ? createPtxHeads() : undefined;
  let [at, line, partStart, points] = [start, 0, start, 0];
  const endPart = (end: number): void => {
    const before = ptx ? ptx.matrices.length - 1 : 0;
    if (points > 0) parts.push({ offset: partStart, length: end - partStart, points, scan: before });
    [partStart, points] = [end, 0];
  };
  const takeRow = (buffer: Buffer, from: number, to: number): void => {
    const count = readRow(buffer, [from, to], point, values);
    if (count === 1 && kind === 'pts') counts.promised += values[0]! > 0 ? values[0]! : 0;
    else if (count >= width && hasPlace(values, columns)) {
      counts.rows++;
      if (ptx && isOrigin(values)) return;
      const place = [values[columns.x!]!, values[columns.y!]!, values[columns.z!]!] as const;
      const matrix = ptx?.matrices.at(-1);
      scanRow(scan, values, columns, matrix ? transformPosition(matrix, place) : place);
      points++;
    } else if (counts.rows > 0 || kind !== 'table') {
      counts.rows++;
      if (counts.unreadable++ === 0) counts.firstUnreadable = line;
    }
  };
  const total = await eachLine(readBlocks(bytes, start), (buffer, from, to) => {
    line++;
    const next = at + to - from + 1;
    if (!isSilent(buffer, from, to) && counts.rows < maxRows) {
      const isHead = ptx?.take(buffer, from, to) === true;
      if (isHead) {
        if (points > 0) endPartBefore();
        partStart = next;
      } else takeRow(buffer, from, to);
    }
    at = next;
    if (points >= partPoints || at - partStart >= maxPartBytes) endPart(at);
  });
  function endPartBefore(): void {
    parts.push({ offset: partStart, length: at - partStart, points, scan: ptx!.matrices.length - 1 });
    points = 0;
  }
  if (Math.abs(at - start - total) > 1) throw new BytesError('one of its lines is longer than 4 MB');
  endPart(Math.min(at, bytes.size));
  const { unreadable, firstUnreadable, promised, rows } = counts;
  const missing = Math.max(0, (ptx ? ptx.promised() : promised) - rows);
  return { ...scan, layout, parts, matrices: ptx?.matrices ?? [], unreadable, firstUnreadable, missing };
}

/** A scan of PTX has a row of zeros where nothing was measured. */
export function isOrigin(values: Float64Array): boolean {
  return values[0] === 0 && values[1] === 0 && values[2] === 0;
}

const headLines = 10;
/** Of these is the matrix, row by row, for coordinates that are a row themselves. */
const matrixLine = 6;

/** The heads of the scans in a PTX: each has ten lines, and then as many rows as columns times rows. */
function createPtxHeads() {
  const values = new Float64Array(4);
  const matrices: Matrix[] = [];
  let [line, rowsLeft, promised, size] = [0, 0, 0, 1];
  let matrix: number[] = [];
  return {
    matrices,
    promised: (): number => promised,
    /** @returns whether the line is one of a head @throws BytesError if it should be, and is not */
    take(buffer: Buffer, from: number, to: number): boolean {
      if (rowsLeft > 0) {
        rowsLeft--;
        return false;
      }
      const count = readRow(buffer, [from, to], 46, values);
      const expected = line < 2 ? 1 : line < matrixLine ? 3 : 4;
      if (count !== expected || !values.subarray(0, count).every(Number.isFinite))
        throw new BytesError(`the head of its scan ${matrices.length + 1} is damaged`);
      if (line === 0) [size, matrix] = [1, []];
      if (line < 2) size *= values[0]!;
      else if (line >= matrixLine) matrix.push(...values);
      if (++line < headLines) return true;
      if (!Number.isSafeInteger(size) || size < 0)
        throw new BytesError(`the size of its scan ${matrices.length + 1} is damaged`);
      matrices.push(matrix);
      promised += size;
      [line, rowsLeft] = [0, size];
      return true;
    },
  };
}
