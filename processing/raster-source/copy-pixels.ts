import type { Samples } from '@platen/formats/geotiff/read-block';
import type { PixelMeaning, PixelSquare } from '@platen/geo/raster/halve-pixels';
import type { OpenPart, RasterPixels } from './raster-sheet.ts';

/** A sheet by the pixels of the mosaic that are left of it and above. */
export interface PlacedSheet<Sheet extends RasterPixels = RasterPixels> {
  readonly sheet: Sheet;
  readonly column: number;
  readonly row: number;
}

/** In pixels of the mosaic. */
export interface PixelWindow {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface SheetPixels {
  readonly placed: PlacedSheet;
  readonly image: OpenPart;
  readonly mask: OpenPart | undefined;
  readonly window: PixelWindow;
  readonly meaning: Pick<PixelMeaning, 'bands' | 'noData'>;
  /** Below all others: even its hidden pixels are kept. */
  readonly isFirst: boolean;
}

/** What a sheet has of a window, in its own pixels. */
interface Part {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Copies the pixels of a sheet over what is there, where they are data.
 * @returns which of its blocks the file has there. @throws BytesError
 */
export async function copyPixels(square: PixelSquare, pixels: SheetPixels): Promise<'all' | 'some' | 'none'> {
  const { placed, image, window, meaning, isFirst } = pixels;
  const part = partOf(placed, window);
  const shown = await shownPixels(pixels, part);
  const { bands, noData } = meaning;
  const copiesAll = isFirst || (shown === undefined && noData === undefined);
  const counts =
    copiesAll && canReadInto(image)
      ? await readRuns(image, part, (run) => {
          const first = targetOf(placed, window, run) * bands;
          return (square.samples as Uint8Array).subarray(first, first + run.length * bands);
        })
      : await copyRuns(square, pixels, { part, shown, copiesAll });
  if (square.mask) showPixels(square.mask, { placed, window, part, shown });
  return counts.missing === 0 ? 'all' : counts.found > 0 ? 'some' : 'none';
}

interface ShownPixels {
  readonly part: Part;
  readonly shown: Uint8Array | undefined;
  readonly copiesAll: boolean;
}

async function copyRuns(
  square: PixelSquare,
  { placed, image, window, meaning: { bands, noData }, isFirst }: SheetPixels,
  { part, shown, copiesAll }: ShownPixels,
): Promise<BlockCounts> {
  const counts = { found: 0, missing: 0 };
  const { isPlanar } = image.image;
  const perPixel = isPlanar ? 1 : bands;
  for (let plane = 0; plane < (isPlanar ? bands : 1); plane++) {
    const { found, missing } = await eachRun(image, { part, plane }, (run, samples) => {
      const { column, row, length } = run;
      const target = targetOf(placed, window, run);
      const at = run.from * perPixel;
      if (copiesAll && !isPlanar) {
        square.samples.set(samples.subarray(at, at + length * bands), target * bands);
        return;
      }
      const isShownAt = shown && shownIndex(part, column, row);
      for (let i = 0; i < length; i++) {
        if (!isFirst && shown && shown[isShownAt! + i] === 0) continue;
        for (let band = 0; band < perPixel; band++) {
          const value = samples[at + i * perPixel + band]!;
          if (isFirst || !isNoData(value, noData))
            square.samples[(target + i) * bands + plane + band] = value;
        }
      }
    });
    counts.found += found;
    counts.missing += missing;
  }
  return counts;
}

const isNoData = (value: number, noData: number | undefined): boolean =>
  noData !== undefined && (value === noData || (value !== value && noData !== noData));

function partOf({ sheet, column, row }: PlacedSheet, { left, top, width, height }: PixelWindow): Part {
  return {
    left: Math.max(0, left - column),
    top: Math.max(0, top - row),
    right: Math.min(sheet.width, left + width - column),
    bottom: Math.min(sheet.height, top + height - row),
  };
}

/** The number of a pixel of the sheet in the window. */
function targetOf(
  placed: PlacedSheet,
  { left, top, width }: PixelWindow,
  { column, row }: { readonly column: number; readonly row: number },
): number {
  return (placed.row + row - top) * width + placed.column + column - left;
}

function shownIndex({ left, top, right }: Part, column: number, row: number): number {
  return (row - top) * (right - left) + column - left;
}

/** By the mask, or by alpha; undefined: all are. */
async function shownPixels({ image, mask }: SheetPixels, part: Part): Promise<Uint8Array | undefined> {
  const { alphaBand, isPlanar, bands } = image.image;
  if (!mask && alphaBand === undefined) return undefined;
  const shown = new Uint8Array((part.right - part.left) * (part.bottom - part.top));
  const source = mask ?? image;
  const band = mask ? 0 : alphaBand!;
  const perPixel = mask || isPlanar ? 1 : bands;
  const offset = mask || isPlanar ? 0 : band;
  await eachRun(source, { part, plane: mask ? 0 : isPlanar ? band : 0 }, (run, samples) => {
    const target = shownIndex(part, run.column, run.row);
    for (let i = 0; i < run.length; i++)
      shown[target + i] = samples[(run.from + i) * perPixel + offset] === 0 ? 0 : 1;
  });
  return shown;
}

interface ShownPart {
  readonly placed: PlacedSheet;
  readonly window: PixelWindow;
  readonly part: Part;
  readonly shown: Uint8Array | undefined;
}

function showPixels(mask: Uint8Array, { placed, window, part, shown }: ShownPart): void {
  const length = part.right - part.left;
  for (let row = part.top; row < part.bottom; row++) {
    const target = targetOf(placed, window, { column: part.left, row });
    if (!shown) mask.fill(1, target, target + length);
    else
      for (let i = 0, from = shownIndex(part, part.left, row); i < length; i++)
        if (shown[from + i] === 1) mask[target + i] = 1;
  }
}

/** Pixels beside each other in a block. */
interface Run {
  /** The number of the first pixel in the block. */
  readonly from: number;
  /** Of the first pixel, in the sheet. */
  readonly column: number;
  readonly row: number;
  readonly length: number;
}

/** Those of the rows of a block, from the first. */
interface Runs extends Run {
  readonly count: number;
  /** From the first pixel of a run to that of the next, in the block. */
  readonly stride: number;
}

interface BlockCounts {
  found: number;
  missing: number;
}

async function eachRun(
  source: OpenPart,
  { part, plane }: { readonly part: Part; readonly plane: number },
  use: (run: Run, samples: Samples) => void,
): Promise<BlockCounts> {
  const counts = { found: 0, missing: 0 };
  for (const [x, y] of blocksOf(source, part)) {
    const samples = await source.read(x, y, plane);
    const runs = runsOf(source, part, [x, y]);
    for (let i = 0; samples && i < runs.count; i++) use(runAt(runs, i), samples);
    counts[samples ? 'found' : 'missing']++;
  }
  return counts;
}

/** Rows of blocks from which on it takes less time to read what is wanted of each than to read blocks as a whole. */
const minRowBytes = 4096;

/** Whether rows of a part can be read straight from the file into where they belong. */
function canReadInto({ image: { bands, isPlanar, blockWidth }, readInto }: OpenPart): boolean {
  return readInto !== undefined && !isPlanar && blockWidth * bands >= minRowBytes;
}

/** Reads all samples of a part from the file into where they belong. */
async function readRuns(
  source: OpenPart,
  part: Part,
  targetOf: (run: Run) => Uint8Array,
): Promise<BlockCounts> {
  const counts = { found: 0, missing: 0 };
  const { bands } = source.image;
  for (const [column, row] of blocksOf(source, part)) {
    const runs = runsOf(source, part, [column, row]);
    const place = { column, row, plane: 0 };
    let isFound = true;
    for (let i = 0; isFound && i < runs.count; i++) {
      const run = runAt(runs, i);
      const read = source.readInto!(place, run.from * bands, targetOf(run));
      isFound = typeof read === 'boolean' ? read : await read;
    }
    counts[isFound ? 'found' : 'missing']++;
  }
  return counts;
}

/** Columns and rows of the blocks that have pixels of a part. */
function* blocksOf(
  { image: { blockWidth, blockHeight } }: OpenPart,
  part: Part,
): Generator<[number, number]> {
  for (let y = Math.floor(part.top / blockHeight); y * blockHeight < part.bottom; y++)
    for (let x = Math.floor(part.left / blockWidth); x * blockWidth < part.right; x++) yield [x, y];
}

function runsOf(
  { image: { blockWidth, blockHeight } }: OpenPart,
  part: Part,
  [x, y]: readonly [number, number],
): Runs {
  const column = Math.max(part.left, x * blockWidth);
  const length = Math.min(part.right, (x + 1) * blockWidth) - column;
  const row = Math.max(part.top, y * blockHeight);
  const count = Math.min(part.bottom, (y + 1) * blockHeight) - row;
  const from = (row - y * blockHeight) * blockWidth + column - x * blockWidth;
  return { from, column, row, length, count, stride: blockWidth };
}

function runAt({ from, column, row, length, stride }: Runs, i: number): Run {
  return { from: from + i * stride, column, row: row + i, length };
}
