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
/** Cells that a function handles in one call: one that is called often is compiled to fast code soon. */
const chunkCells = 4096;

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
    let count = 0;
    for (let first = 0; first < wanted.length; first += chunkCells)
      count = sampleChunk(cells, places, {
        pixels,
        window,
        wanted,
        first,
        end: Math.min(wanted.length, first + chunkCells),
        count,
      });
    return { taken: wanted.subarray(0, count), spikes };
  };
}

interface WantedChunk {
  readonly pixels: Float32Array;
  readonly window: CellWindow;
  /** The numbers of all wanted cells, of which those before `count` have got a value. */
  readonly wanted: Uint32Array;
  /** The part that is sampled now. */
  readonly first: number;
  readonly end: number;
  readonly count: number;
}

/** Gives wanted cells a value. @returns how many of all have got one */
function sampleChunk(
  cells: Float32Array,
  { columns, rows }: PixelPlaces,
  { pixels, window, wanted, first, end, count }: WantedChunk,
): number {
  let taken = count;
  for (let i = first; i < end; i++) {
    const cell = wanted[i]!;
    const height = heightAt(pixels, window, columns[cell]! - window.column, rows[cell]! - window.row);
    if (height !== height) continue;
    cells[cell] = height;
    wanted[taken++] = cell;
  }
  return taken;
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
  places: PixelPlaces,
  { sheet, numbers }: WantedCells,
): { readonly wanted: Uint32Array; readonly window: CellWindow } {
  const [width, height] = [sheet.width + edgeTolerance, sheet.height + edgeTolerance];
  const box = Float64Array.of(Infinity, Infinity, -Infinity, -Infinity);
  let count = 0;
  for (let first = 0; first < cells.length; first += chunkCells) {
    const end = Math.min(cells.length, first + chunkCells);
    count = chunkWithin(cells, places, { first, end, width, height, numbers, count, box });
  }
  return { wanted: numbers.subarray(0, count), window: windowAround(box, sheet) };
}

interface CellChunk {
  readonly first: number;
  readonly end: number;
  /** Of the sheet, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly numbers: Uint32Array;
  /** How many numbers there are already. */
  readonly count: number;
  /** Left, top, right, bottom of the pixels, which grows. */
  readonly box: Float64Array;
}

function chunkWithin(
  cells: Float32Array,
  { columns, rows }: PixelPlaces,
  { first, end, width, height, numbers, count, box }: CellChunk,
): number {
  let [left, top, right, bottom] = [box[0]!, box[1]!, box[2]!, box[3]!];
  let found = count;
  for (let i = first; i < end; i++) {
    const cell = cells[i]!;
    if (cell === cell) continue;
    const column = columns[i]!;
    const row = rows[i]!;
    // places that are NaN are nowhere
    if (!(column >= -edgeTolerance && column <= width && row >= -edgeTolerance && row <= height)) continue;
    numbers[found++] = i;
    if (column < left) left = column;
    if (column > right) right = column;
    if (row < top) top = row;
    if (row > bottom) bottom = row;
  }
  box.set([left, top, right, bottom]);
  return found;
}

/** @param box left, top, right, bottom */
function windowAround(box: Float64Array, sheet: Sheet): CellWindow {
  const [left, top, right, bottom] = [box[0]!, box[1]!, box[2]!, box[3]!];
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
  const left = Math.floor(x - 0.5);
  const top = Math.floor(y - 0.5);
  const right = x - 0.5 - left;
  const down = y - 0.5 - top;
  const west = limit(left, width);
  const east = limit(left + 1, width);
  const north = limit(top, height) * width;
  const south = limit(top + 1, height) * width;
  const northWest = pixels[north + west]!;
  const northEast = pixels[north + east]!;
  const southWest = pixels[south + west]!;
  const southEast = pixels[south + east]!;
  const upper = northWest + (northEast - northWest) * right;
  const lower = southWest + (southEast - southWest) * right;
  const value = upper + (lower - upper) * down;
  return value === value ? value : meanOfSome([northWest, northEast, southWest, southEast], right, down);
}

function limit(value: number, count: number): number {
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

/** Of those of four pixels that have data, by their shares of the place. */
function meanOfSome(values: readonly number[], right: number, down: number): number {
  const shares = [(1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down];
  let [sum, weights] = [0, 0];
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    sum += value * shares[i]!;
    weights += shares[i]!;
  }
  return weights > 0 ? sum / weights : NaN;
}
