import type { Bytes } from '../bytes/bytes.ts';
import { readNumbers } from '../text/read-numbers.ts';

/** An ESRI ASCII grid: a few lines of header, then rows of numbers from the north. */
export interface AsciiGrid {
  readonly columns: number;
  readonly rows: number;
  readonly cellSize: readonly [x: number, y: number];
  /** Around all cells. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  readonly noData: number | undefined;
  /** Offset of the first number, in bytes. */
  readonly dataOffset: number;
}

const headBytes = 4096;
const line = /^[ \t]*([A-Za-z_]+)[ \t]+(\S+)[ \t]*\r?\n/;

/** @returns undefined if it does not begin with a header; `fault` if the header is incomplete */
export async function readAsciiGrid(
  bytes: Bytes,
): Promise<AsciiGrid | { readonly fault: string } | undefined> {
  const text = Buffer.from(await bytes.read(0, headBytes)).toString('latin1');
  if (!/^\s*ncols\s+\S+[^\S\n]*\n\s*nrows\s/i.test(text)) return undefined;
  const header = new Map<string, number>();
  let at = 0;
  for (let found = line.exec(text); found; found = line.exec(text.slice(at))) {
    header.set(found[1]!.toLowerCase(), Number(found[2]!.replace(',', '.')));
    at += found[0].length;
  }
  const of = (name: string) => header.get(name) ?? NaN;
  const [columns, rows] = [of('ncols'), of('nrows')];
  if (!(Number.isInteger(columns) && Number.isInteger(rows) && columns > 0 && rows > 0))
    return { fault: 'ncols or nrows is not a number' };
  const [width, height] = [header.get('cellsize') ?? of('dx'), header.get('cellsize') ?? of('dy')];
  if (!(width > 0 && height > 0)) return { fault: 'it has no cellsize' };
  const west = header.get('xllcorner') ?? of('xllcenter') - width / 2;
  const south = header.get('yllcorner') ?? of('yllcenter') - height / 2;
  if (!Number.isFinite(west) || !Number.isFinite(south)) return { fault: 'it has no xllcorner or yllcorner' };
  return {
    columns,
    rows,
    cellSize: [width, height],
    box: [west, south, west + columns * width, south + rows * height],
    noData: header.get('nodata_value'),
    dataOffset: at,
  };
}

/** All heights of the grid, in rows from the north; NaN where it ends too early. */
export async function readAsciiCells(
  bytes: Bytes,
  { columns, rows, dataOffset }: AsciiGrid,
): Promise<Float32Array> {
  const cells = new Float32Array(columns * rows).fill(NaN);
  let at = 0;
  for await (const numbers of readNumbers(bytes, dataOffset)) {
    cells.set(numbers.subarray(0, cells.length - at), at);
    at = Math.min(cells.length, at + numbers.length);
  }
  return cells;
}

const sampleBytes = 64 * 1024;
const samples = 16;

/** Values from all over the grid. */
export async function sampleAsciiGrid(bytes: Bytes, { dataOffset }: AsciiGrid): Promise<Float64Array> {
  const values: number[] = [];
  const length = bytes.size - dataOffset;
  for (let i = 0; i < samples; i++) {
    const start = dataOffset + Math.floor((length * i) / samples);
    const text = Buffer.from(await bytes.read(start, Math.min(sampleBytes, length / samples + 1))).toString(
      'latin1',
    );
    // the first and the last may be cut through
    for (const word of text.trim().split(/\s+/).slice(1, -1)) {
      const value = Number(word.replace(',', '.'));
      if (Number.isFinite(value)) values.push(value);
    }
  }
  return Float64Array.from(values);
}
