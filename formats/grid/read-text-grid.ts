import type { Bytes } from '../bytes/bytes.ts';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { guessTextLayout, type TextLayout } from '../points/text/text-layout.ts';
import { readNumbers } from '../text/read-numbers.ts';
import { beginsWithPlace, looksLikeGrid } from './looks-like-grid.ts';
import { findUnorderedGrid } from './unordered-grid.ts';
import { cellsOfPoints, gridOfPoints, type PointGrid } from './xyz-grid.ts';

export interface TextGrid extends PointGrid {
  /** Around all cells. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
}

const windowBytes = 1 << 16;

/** Whether a text is one of x, y and height on a grid: in rows or columns that follow each other, or in any order. */
export async function isTextGrid(bytes: Bytes, head: Uint8Array, layout: TextLayout): Promise<boolean> {
  return looksLikeGrid(head, layout) || (await findUnorderedGrid(bytes, layout)) !== undefined;
}

/**
 * The grid of a text of x, y and height: by its beginning and its end, which are two corners, where rows or columns follow each
 * other; otherwise by lines from all over it.
 * @returns undefined for other texts. @throws BytesError where its points lie on no regular grid
 */
export async function readTextGrid(bytes: Bytes): Promise<TextGrid | undefined> {
  const head = await bytes.read(0, windowBytes);
  const isWhole = head.length >= bytes.size;
  const layout = guessTextLayout(head, isWhole);
  if (!layout || !beginsWithPlace(layout)) return undefined;
  if (!looksLikeGrid(head, layout)) {
    const grid = await findUnorderedGrid(bytes, layout);
    return grid && withBox(grid);
  }
  const tail = isWhole ? head.subarray(0, 0) : await bytes.read(bytes.size - windowBytes, windowBytes);
  const lines = Buffer.concat([
    isWhole ? head : head.subarray(0, head.lastIndexOf(10) + 1),
    tail.subarray(tail.indexOf(10) + 1),
  ]);
  return withBox(await gridOfPoints(pointsOf(bytesOf(lines)), { isSample: !isWhole }));
}

/** The grid of all points of a text, in any order. @throws BytesError where they lie on none */
export async function readWholeTextGrid(bytes: Bytes): Promise<TextGrid> {
  return withBox(await gridOfPoints(pointsOf(bytes)));
}

/** Its heights in rows from the north; NaN where no point is. */
export const readTextCells = (bytes: Bytes, grid: PointGrid): Promise<Float32Array> =>
  cellsOfPoints(pointsOf(bytes), grid);

const samples = 16;

/** Heights from all over a long text. */
export async function sampleTextHeights(bytes: Bytes): Promise<Float64Array> {
  const heights: number[] = [];
  for (let i = 0; i < samples; i++) {
    const start = Math.floor(((bytes.size - windowBytes) * i) / (samples - 1));
    const window = await bytes.read(Math.max(0, start), windowBytes);
    const lines = window.subarray(window.indexOf(10) + 1, window.lastIndexOf(10) + 1);
    for await (const points of pointsOf(bytesOf(lines)))
      for (let at = 2; at < points.length; at += 3) heights.push(points[at]!);
  }
  return Float64Array.from(heights);
}

/** x, y and height of each line. */
const pointsOf = (bytes: Bytes): AsyncGenerator<Float64Array> => readNumbers(bytes, 0, { perLine: 3 });

function withBox(grid: PointGrid): TextGrid {
  const { columns, rows, west, north, step } = grid;
  const [left, top] = [west - step[0] / 2, north + step[1] / 2];
  return { ...grid, box: [left, top - rows * step[1], left + columns * step[0], top] };
}
