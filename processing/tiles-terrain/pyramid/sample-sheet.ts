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

export interface TakenCells {
  /** Their numbers; valid until the next sheet. */
  readonly taken: Uint32Array;
  /** How many pixels were fills or spikes. */
  readonly spikes: number;
}

/**
 * Creates what gives cells that have no value yet that of a sheet: bilinear between pixels, of which those without data do not
 * count. A sheet has a cell if the pixel around the middle of the cell has data.
 */
export function createSheetSampler() {
  /** Fresh memory takes as long as the work. */
  let numbers = new Uint32Array(0);
  return async (
    cells: Float32Array,
    places: PixelPlaces,
    { sheet, reader, metresPerUnit }: SheetSample,
  ): Promise<TakenCells> => {
    if (numbers.length < cells.length) numbers = new Uint32Array(cells.length);
    const { wanted, window } = cellsWithin(cells, places, { sheet, numbers });
    if (wanted.length === 0) return { taken: wanted, spikes: 0 };
    if (window.width * window.height > maxWindowCells)
      throw new RangeError(`a window of ${window.width} × ${window.height} pixels is too large`);
    const pixels = await reader.read(window);
    const spikes = removeSpikes(pixels, metresPerUnit);
    const { columns, rows } = places;
    let count = 0;
    for (const cell of wanted) {
      const height = heightAt(pixels, window, columns[cell]! - window.column, rows[cell]! - window.row);
      if (height !== height) continue;
      cells[cell] = height;
      wanted[count++] = cell;
    }
    return { taken: wanted.subarray(0, count), spikes };
  };
}

/** Gives fills and spikes no value. @returns how many there were */
function removeSpikes(pixels: Float32Array, metresPerUnit: number): number {
  let spikes = 0;
  for (let i = 0; i < pixels.length; i++) {
    const value = pixels[i]!;
    if (value !== value || !isSpike(value, value * metresPerUnit)) continue;
    pixels[i] = NaN;
    spikes++;
  }
  return spikes;
}

interface WantedCells {
  readonly sheet: Sheet;
  /** What their numbers are written to. */
  readonly numbers: Uint32Array;
}

/** The cells without a value that lie in a sheet, and the pixels around them. */
function cellsWithin(
  cells: Float32Array,
  { columns, rows }: PixelPlaces,
  { sheet, numbers }: WantedCells,
): { readonly wanted: Uint32Array; readonly window: CellWindow } {
  const [farRight, farDown] = [sheet.width + edgeTolerance, sheet.height + edgeTolerance];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let count = 0;
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!;
    if (cell === cell) continue;
    const [column, row] = [columns[i]!, rows[i]!];
    // places that are NaN are nowhere
    if (!(column >= -edgeTolerance && column <= farRight && row >= -edgeTolerance && row <= farDown))
      continue;
    numbers[count++] = i;
    if (column < left) left = column;
    if (column > right) right = column;
    if (row < top) top = row;
    if (row > bottom) bottom = row;
  }
  return { wanted: numbers.subarray(0, count), window: windowAround([left, top, right, bottom], sheet) };
}

function windowAround(
  [left, top, right, bottom]: readonly [number, number, number, number],
  sheet: Sheet,
): CellWindow {
  const column = Math.min(sheet.width - 1, Math.max(0, Math.floor(left - 1)));
  const row = Math.min(sheet.height - 1, Math.max(0, Math.floor(top - 1)));
  return {
    column,
    row,
    width: Math.max(1, Math.min(sheet.width, Math.ceil(right + 1)) - column),
    height: Math.max(1, Math.min(sheet.height, Math.ceil(bottom + 1)) - row),
  };
}

/** @param x from the left edge of the window, in pixels; likewise `y` */
function heightAt(pixels: Float32Array, { width, height }: CellWindow, x: number, y: number): number {
  const nearest = pixels[limit(Math.floor(y), height) * width + limit(Math.floor(x), width)]!;
  if (nearest !== nearest) return NaN;
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [right, down] = [x - 0.5 - left, y - 0.5 - top];
  const [west, east] = [limit(left, width), limit(left + 1, width)];
  const [north, south] = [limit(top, height) * width, limit(top + 1, height) * width];
  const northWest = pixels[north + west]!;
  const northEast = pixels[north + east]!;
  const southWest = pixels[south + west]!;
  const southEast = pixels[south + east]!;
  const upper = northWest + (northEast - northWest) * right;
  const lower = southWest + (southEast - southWest) * right;
  const value = upper + (lower - upper) * down;
  if (value === value) return value;
  return meanOfSome(
    [northWest, northEast, southWest, southEast],
    [(1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down],
  );
}

function limit(value: number, count: number): number {
  return value < 0 ? 0 : value >= count ? count - 1 : value;
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
