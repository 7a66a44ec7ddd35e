import { wordsOf } from '@platen/geo/raster/words';
import type { FindNeighbours } from './grid-neighbours.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import type { SheetWindow } from './read-sheets.ts';

export interface ReadingOn {
  readonly sheets: readonly Pick<MosaicSheet, 'width' | 'height'>[];
  readonly findNeighbours: FindNeighbours;
  readonly read: (number: number, window: SheetWindow) => Promise<Uint8Array | undefined>;
}

/**
 * Reads windows of sheets that may continue beyond them: there, pixels of the sheets on the same grid count, and where these
 * show nothing the last ones of the sheet itself. @param among the sheets that may be read
 */
export function readOn({ sheets, findNeighbours, read }: ReadingOn) {
  return async (
    number: number,
    window: SheetWindow,
    among: ReadonlySet<number>,
  ): Promise<Uint8Array | undefined> => {
    const own = cutWindow(window, { column: 0, row: 0, ...sizeOf(sheets[number]!) });
    if (!own) return undefined;
    const pixels = await read(number, own);
    if (!pixels || isSame(own, window)) return pixels;
    const whole = { window, rgba: new Uint8Array(window.width * window.height * 4) };
    copyShown(whole, { window: own, rgba: pixels });
    for (const margin of marginsOf(window, own)) {
      for (const neighbour of findNeighbours(number, margin)) {
        if (!among.has(neighbour.number)) continue;
        const extent = { ...neighbour, ...sizeOf(sheets[neighbour.number]!) };
        const part = cutWindow(margin, extent)!;
        const { column, row } = neighbour;
        const rgba = await read(neighbour.number, {
          ...part,
          column: part.column - column,
          row: part.row - row,
        });
        if (rgba) copyShown(whole, { window: part, rgba });
      }
    }
    repeatEdges(whole, own);
    return whole.rgba;
  };
}

interface Pixels {
  readonly window: SheetWindow;
  readonly rgba: Uint8Array;
}

function sizeOf({
  width,
  height,
}: Pick<MosaicSheet, 'width' | 'height'>): Pick<SheetWindow, 'width' | 'height'> {
  return { width, height };
}

function cutWindow(a: SheetWindow, b: SheetWindow): SheetWindow | undefined {
  const [column, row] = [Math.max(a.column, b.column), Math.max(a.row, b.row)];
  const width = Math.min(a.column + a.width, b.column + b.width) - column;
  const height = Math.min(a.row + a.height, b.row + b.height) - row;
  return width > 0 && height > 0 ? { column, row, width, height } : undefined;
}

function isSame(a: SheetWindow, b: SheetWindow): boolean {
  return a.width === b.width && a.height === b.height;
}

/** What a window has above, below, left and right of the part that is in the sheet. */
function marginsOf(window: SheetWindow, own: SheetWindow): SheetWindow[] {
  const [right, bottom] = [own.column + own.width, own.row + own.height];
  const below = { ...window, row: bottom, height: window.row + window.height - bottom };
  const level = { ...window, row: own.row, height: own.height };
  return [
    { ...window, height: own.row - window.row },
    below,
    { ...level, width: own.column - window.column },
    { ...level, column: right, width: window.column + window.width - right },
  ].filter(({ width, height }) => width > 0 && height > 0);
}

/** Gives pixels without a colour that of others. */
function copyShown(whole: Pixels, { window, rgba }: Pixels): void {
  const [to, from] = [wordsOf(whole.rgba), wordsOf(rgba)];
  for (let y = 0; y < window.height; y++) {
    const source = y * window.width;
    const target =
      (window.row + y - whole.window.row) * whole.window.width + window.column - whole.window.column;
    for (let x = 0; x < window.width; x++)
      if (to[target + x]! >>> 24 === 0) to[target + x] = from[source + x]!;
  }
}

/** Gives pixels beyond a sheet that no other has the colour of the nearest one of the sheet. */
function repeatEdges({ window, rgba }: Pixels, own: SheetWindow): void {
  const words = wordsOf(rgba);
  const limit = (value: number, start: number, length: number): number =>
    Math.min(start + length - 1, Math.max(start, value));
  for (const { column, row, width, height } of marginsOf(window, own)) {
    for (let y = row; y < row + height; y++) {
      for (let x = column; x < column + width; x++) {
        const at = (y - window.row) * window.width + x - window.column;
        if (words[at]! >>> 24 !== 0) continue;
        const nearest =
          (limit(y, own.row, own.height) - window.row) * window.width +
          limit(x, own.column, own.width) -
          window.column;
        words[at] = words[nearest]!;
      }
    }
  }
}
