import { isSpike } from '../sheets/usual-fills.ts';
import type { CellReader, CellWindow, Sheet } from '../sheets/sheet.ts';
import type { PixelPlaces } from './pixel-places.ts';

export interface SheetSample {
  readonly sheet: Sheet;
  readonly reader: CellReader;
  readonly metresPerUnit: number;
}

/** Pixels that gaps between sheets may be wide, by rounding. */
const edgeTolerance = 0.02;
const maxWindowCells = 16 << 20;

/**
 * Gives cells that have no value yet that of a sheet: bilinear between pixels, of which those without data do not count.
 * A sheet has a cell if the pixel around the middle of the cell has data.
 * @returns the cells that got a value, and how many pixels were fills or spikes
 */
export async function sampleSheet(
  cells: Float32Array,
  { columns, rows }: PixelPlaces,
  { sheet, reader, metresPerUnit }: SheetSample,
): Promise<{ readonly taken: Uint32Array; readonly spikes: number }> {
  const wanted = cellsWithin(cells, { columns, rows }, sheet);
  if (wanted.length === 0) return { taken: wanted, spikes: 0 };
  const window = windowAround(wanted, { columns, rows }, sheet);
  if (window.width * window.height > maxWindowCells)
    throw new RangeError(`a window of ${window.width} × ${window.height} pixels is too large`);
  const pixels = await reader.read(window);
  let spikes = 0;
  for (let i = 0; i < pixels.length; i++) {
    const value = pixels[i]!;
    if (value === value && isSpike(value, value * metresPerUnit)) {
      pixels[i] = NaN;
      spikes++;
    }
  }
  let count = 0;
  for (const cell of wanted) {
    const height = heightAt(pixels, window, [columns[cell]!, rows[cell]!]);
    if (height !== height) continue;
    cells[cell] = height;
    wanted[count++] = cell;
  }
  return { taken: wanted.subarray(0, count), spikes };
}

function cellsWithin(
  cells: Float32Array,
  { columns, rows }: PixelPlaces,
  { width, height }: Sheet,
): Uint32Array {
  const found = new Uint32Array(cells.length);
  let count = 0;
  for (let i = 0; i < cells.length; i++) {
    const [column, row] = [columns[i]!, rows[i]!];
    const isWithin =
      column >= -edgeTolerance &&
      row >= -edgeTolerance &&
      column <= width + edgeTolerance &&
      row <= height + edgeTolerance;
    if (isWithin && Number.isNaN(cells[i]!)) found[count++] = i;
  }
  return found.subarray(0, count);
}

function windowAround(wanted: Uint32Array, { columns, rows }: PixelPlaces, sheet: Sheet): CellWindow {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const cell of wanted) {
    left = Math.min(left, columns[cell]!);
    right = Math.max(right, columns[cell]!);
    top = Math.min(top, rows[cell]!);
    bottom = Math.max(bottom, rows[cell]!);
  }
  const column = Math.min(sheet.width - 1, Math.max(0, Math.floor(left - 1)));
  const row = Math.min(sheet.height - 1, Math.max(0, Math.floor(top - 1)));
  return {
    column,
    row,
    width: Math.max(1, Math.min(sheet.width, Math.ceil(right + 1)) - column),
    height: Math.max(1, Math.min(sheet.height, Math.ceil(bottom + 1)) - row),
  };
}

function heightAt(
  pixels: Float32Array,
  { column, row, width, height }: CellWindow,
  [x, y]: readonly [number, number],
): number {
  const limit = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));
  const [fromLeft, fromTop] = [x - column, y - row];
  const nearest = limit(Math.floor(fromTop), height) * width + limit(Math.floor(fromLeft), width);
  if (Number.isNaN(pixels[nearest]!)) return NaN;
  const [left, top] = [Math.floor(fromLeft - 0.5), Math.floor(fromTop - 0.5)];
  const [right, down] = [fromLeft - 0.5 - left, fromTop - 0.5 - top];
  const [west, east] = [limit(left, width), limit(left + 1, width)];
  const [north, south] = [limit(top, height) * width, limit(top + 1, height) * width];
  const upper = pixels[north + west]! + (pixels[north + east]! - pixels[north + west]!) * right;
  const lower = pixels[south + west]! + (pixels[south + east]! - pixels[south + west]!) * right;
  const value = upper + (lower - upper) * down;
  if (value === value) return value;
  return meanOfSome(
    [pixels[north + west]!, pixels[north + east]!, pixels[south + west]!, pixels[south + east]!],
    [(1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down],
  );
}

function meanOfSome(values: readonly number[], shares: readonly number[]): number {
  let [sum, weights] = [0, 0];
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    sum += value * shares[i]!;
    weights += shares[i]!;
  }
  return weights > 0 ? sum / weights : NaN;
}
