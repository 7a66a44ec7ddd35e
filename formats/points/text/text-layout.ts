import { columnsOfNames, hasCoordinates } from '../column-names.ts';
import { hasPlace, type TableColumns } from '../point-table.ts';
import { isSilent, readRow } from './read-row.ts';

/** How a text of points is written. Plain data. */
export interface TextLayout {
  /** `ptx`: scans, each with its size and matrix. `pts`: rows behind their number. */
  readonly kind: 'table' | 'pts' | 'ptx';
  /** Between the whole and the fraction of numbers: 46, or 44 for a decimal comma. */
  readonly point: number;
  readonly columns: TableColumns;
  /** The names of the columns, where the text has them. */
  readonly names: readonly string[] | undefined;
  /** Where its first line begins: behind a mark of the byte order. */
  readonly start: number;
  /** Numbers of a row that are needed. */
  readonly width: number;
}

const maxHeadings = 50;
const maxRows = 200;
const maxWidth = 100;
const minShare = 0.9;
const [dot, comma] = [46, 44];

/** Lines of a head, the last one left out if it may be cut. */
interface HeadLines {
  readonly start: number;
  readonly bytes: Buffer;
  readonly lines: readonly (readonly [start: number, end: number])[];
}

/**
 * How the beginning of a text is written, if it is one of points.
 * @param given what its columns hold, where the user says so
 */
export function guessTextLayout(
  head: Uint8Array,
  isWhole: boolean,
  given?: TableColumns,
): TextLayout | undefined {
  const text = linesOf(head, isWhole);
  if (text === undefined || text.lines.length === 0) return undefined;
  const point = pointOf(text);
  const { start } = text;
  const rows = rowsOf(text, point);
  if (isPtx(rows))
    return { kind: 'ptx', start, point: dot, names: undefined, ...withoutNames(rows.slice(10), given) };
  const kind = rows[0]?.length === 1 && Number.isInteger(rows[0][0]) && rows.length > 1 ? 'pts' : 'table';
  const names = kind === 'table' ? namesOf(text, point) : undefined;
  const sample = rows.filter((row) => row.length >= 3).slice(0, maxRows);
  if (sample.length === 0) return undefined;
  const columns = columnsIn(sample, names, given);
  if (columns === undefined) return undefined;
  const usable = sample.filter((row) => hasPlace(row, columns.columns)).length;
  return usable >= sample.length * minShare ? { kind, start, point, names, ...columns } : undefined;
}

function columnsIn(
  sample: readonly Float64Array[],
  names: readonly string[] | undefined,
  given: TableColumns | undefined,
): Pick<TextLayout, 'columns' | 'width'> | undefined {
  if (names === undefined || given !== undefined) return withoutNames(sample, given);
  const columns = columnsOfNames(names);
  return hasCoordinates(columns) ? { columns, width: widthOf(columns) } : undefined;
}

const widthOf = (columns: TableColumns): number => Math.max(...Object.values(columns)) + 1;

/** How grids of ESRI and Surfer begin. */
const otherGrid = /^\s*(?:ncols|nrows|dsaa)\b/i;

function linesOf(head: Uint8Array, isWhole: boolean): HeadLines | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  // texts have no zero bytes
  if (bytes.includes(0)) return undefined;
  const lines: [number, number][] = [];
  const first = bytes[0] === 0xef && bytes[1] === 0xbb ? 3 : 0;
  if (otherGrid.test(bytes.toString('latin1', first, first + 20))) return undefined;
  let start = first;
  for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push([start, end]);
    start = end + 1;
  }
  if (isWhole && start < bytes.length) lines.push([start, bytes.length]);
  return { bytes, start: first, lines: lines.slice(0, maxHeadings + maxRows) };
}

const commaNumber = /^[+-]?\d+,\d+(?:[eE][+-]?\d+)?$/;

/** A comma within words that something else separates is that of decimals. */
function pointOf({ bytes, lines }: HeadLines): number {
  let [withComma, others] = [0, 0];
  for (const [start, end] of lines) {
    const words = bytes
      .toString('latin1', start, Math.min(end, start + 2000))
      .trim()
      .split(/[\s;|]+/);
    if (words.length < 3) continue;
    if (words.some((word) => commaNumber.test(word)) && !words.some((word) => word.includes('.')))
      withComma++;
    else if (words.every((word) => Number.isFinite(Number(word)))) continue;
    else others++;
  }
  return withComma > others ? comma : dot;
}

/** The lines that consist of numbers, from the first one on. */
function rowsOf({ bytes, lines }: HeadLines, point: number): Float64Array[] {
  const values = new Float64Array(maxWidth);
  const rows: Float64Array[] = [];
  let headings = 0;
  for (const [start, end] of lines) {
    if (isSilent(bytes, start, end)) continue;
    const count = Math.min(maxWidth, readRow(bytes, [start, end], point, values));
    const numbers = values.slice(0, count);
    if (numbers.some(Number.isFinite)) rows.push(numbers);
    else if (rows.length === 0 && ++headings > maxHeadings) return [];
    else if (rows.length > 0) rows.push(new Float64Array(3).fill(NaN));
  }
  return rows;
}

/** Columns, rows, the scanner's place, three axes, and a matrix of four rows. */
const ptxHead = [1, 1, 3, 3, 3, 3, 4, 4, 4, 4];

function isPtx(rows: readonly Float64Array[]): boolean {
  return (
    rows.length > ptxHead.length &&
    ptxHead.every((count, i) => rows[i]!.length === count && rows[i]!.every(Number.isFinite))
  );
}

/** The names of the last heading before the rows; a comment, too, if it names coordinates. */
function namesOf({ bytes, lines }: HeadLines, point: number): readonly string[] | undefined {
  const values = new Float64Array(maxWidth);
  let names: readonly string[] | undefined;
  for (const [start, end] of lines.slice(0, maxHeadings)) {
    if (!isSilent(bytes, start, end)) {
      const count = Math.min(maxWidth, readRow(bytes, [start, end], point, values));
      if (values.subarray(0, count).some(Number.isFinite)) return names;
    }
    const words = wordsOf(bytes.toString('utf8', start, Math.min(end, start + 4000)));
    const isHeading =
      words.length >= 3 && (!isSilent(bytes, start, end) || hasCoordinates(columnsOfNames(words)));
    if (isHeading) names = words;
  }
  return names;
}

function wordsOf(line: string): string[] {
  const text = line
    .trim()
    .replace(/^(?:[#%!]|\/\/)/, '')
    .trim();
  const separator = [';', '|', ',', '\t'].find((one) => text.includes(one));
  return (separator === undefined ? text.split(/\s+/) : text.split(separator)).map((word) =>
    word.trim().replaceAll('"', ''),
  );
}

function withoutNames(
  sample: readonly Float64Array[],
  given: TableColumns | undefined,
): Pick<TextLayout, 'columns' | 'width'> {
  const columns = given ?? guessColumns(sample);
  return { columns, width: widthOf(columns) };
}

/** What columns without names usually hold, by how many there are and what is in them. */
function guessColumns(sample: readonly Float64Array[]): TableColumns {
  const place = { x: 0, y: 1, z: 2 };
  const counts = new Map<number, number>();
  for (const { length } of sample) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width = 3] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const areColours = (first: number, max = 65_535): boolean =>
    sample.every(
      (row) =>
        row.length < width ||
        row
          .subarray(first, first + 3)
          .every((value) => value >= 0 && value <= max && Number.isInteger(value)),
    );
  const colours = (first: number): TableColumns => ({ red: first, green: first + 1, blue: first + 2 });
  if (width === 4 || width === 5) return { ...place, intensity: 3 };
  const isIntensityLast = areColours(3, 255) && !areColours(4, 255);
  if (width >= 7 && areColours(4) && !isIntensityLast) return { ...place, intensity: 3, ...colours(4) };
  if (width >= 6 && areColours(3)) return { ...place, ...colours(3), ...(width > 6 && { intensity: 6 }) };
  return place;
}
