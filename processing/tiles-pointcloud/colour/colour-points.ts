import type { Cloud } from '@platen/geo/point-tree/cloud';
import { JobFailure } from '../../job-type.ts';
import { requireImageCodec } from '../../kit/images/image-codec.ts';
import type { MosaicSheet } from '../../raster-source/mosaic-sheet.ts';
import { openSheetReader, type SheetWindow } from '../../raster-source/read-sheets.ts';
import { openSheetPixels } from '../../raster-source/sheet-pixels.ts';
import type { Setup } from '../tasks.ts';
import { cellSide, colourAt, windowAround } from './colour-at.ts';
import { openImagePlaces } from './image-places.ts';

/** Gives points of a cloud the colours of images. */
export interface PointColourer {
  /** Changes the words of colours. @returns the numbers of points that should have one, and lie where no image has a pixel, ascending */
  colour(cloud: Cloud): Promise<Uint32Array>;
  /** Closes the images. */
  close(): Promise<void>;
}

/** Points that are looked up together: they are neighbours, as the cloud is sorted. */
const runPoints = 4096;
/** Of an image at once. */
const maxWindowPixels = 1 << 20;
const colourBits = 0xff_ff_ff;

/**
 * Undefined: points keep their colours.
 * @param onDamaged tells that so many points lie in damaged parts of an image, which then has no pixels there; without it, damage ends the job
 */
export async function createColourer(
  { settings: { colour: options }, images, columns, folder, imageBytes, root }: Setup,
  onDamaged: ((image: MosaicSheet, points: number) => void) | undefined,
): Promise<PointColourer | undefined> {
  if (options === undefined) return undefined;
  const reader = openSheetReader(images, await requireImageCodec(), imageBytes);
  const pixels = openSheetPixels({ sheets: images, reader, collar: undefined, collarPath: folder });
  const places = openImagePlaces(images, root);
  const read = createDamageGuard((number, window) => pixels.read(number, window), onDamaged !== undefined);
  const classes = options.classes && new Set(options.classes);
  const isWanted = (word: number, marks: number): boolean =>
    (options.isAlways || (word & colourBits) === 0) && (classes?.has((marks >>> 16) & 255) ?? true);
  return {
    async colour({ columns: all, count }) {
      const [words, marks] = [all[columns.colour!]!, all[columns.marks]!];
      const outside = new Uint32Array(count);
      let outsideCount = 0;
      for (let from = 0; from < count; from += runPoints) {
        const wanted: number[] = [];
        for (let i = from; i < Math.min(count, from + runPoints); i++)
          if (isWanted(words[i]!, marks[i]!)) wanted.push(i);
        if (wanted.length === 0) continue;
        const numbers = Uint32Array.from(wanted);
        places.take(all, numbers);
        const run = { words, numbers, isDone: new Uint8Array(numbers.length) };
        for (const [number, image] of images.entries()) {
          const at = places.pixelsIn(number);
          if (at === undefined) continue;
          const damaged = await colourFrom({ number, image, read }, { ...run, at }, [0, numbers.length]);
          if (damaged > 0) onDamaged?.(image, damaged);
          if (!run.isDone.includes(0)) break;
        }
        for (const [i, done] of run.isDone.entries()) if (done === 0) outside[outsideCount++] = numbers[i]!;
      }
      return outside.slice(0, outsideCount);
    },
    close: () => reader.close(),
  };
}

interface PointRun {
  readonly words: Uint32Array;
  /** Of the words. */
  readonly numbers: Uint32Array;
  /** 1: a point has its colour. */
  readonly isDone: Uint8Array;
  /** Column and row of each in the image. */
  readonly at: Float64Array;
}

interface Image {
  readonly number: number;
  readonly image: MosaicSheet;
  readonly read: ReadWindow;
}

/**
 * Colours those of some points that have none and lie in the image: half of them at a time where they lie too far apart, or a part is damaged.
 * @returns how many lie in damaged parts
 */
async function colourFrom(
  source: Image,
  run: PointRun,
  [from, end]: readonly [number, number],
): Promise<number> {
  const { number, image, read } = source;
  const { words, numbers, isDone, at } = run;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = from; i < end; i++) {
    const [x, y] = [at[i * 2]!, at[i * 2 + 1]!];
    if (isDone[i] === 1 || !(x >= 0 && y >= 0 && x <= image.width && y <= image.height)) continue;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (right < left) return 0;
  const window = windowAround(image, [left, top, right, bottom]);
  const isTooLarge = window.width * window.height > maxWindowPixels && end - from > 1;
  const rgba = isTooLarge ? 'tooLarge' : await read(number, window);
  if (rgba === 'tooLarge' || rgba === 'damaged') {
    if (end - from === 1) return 1;
    const middle = (from + end) >>> 1;
    const first = await colourFrom(source, run, [from, middle]);
    return first + (await colourFrom(source, run, [middle, end]));
  }
  if (rgba === undefined) return 0;
  const { width, height, isNearest } = image;
  const part = { window, rgba, width, height, isNearest };
  for (let i = from; i < end; i++) {
    if (isDone[i] === 1) continue;
    const colour = colourAt(part, at[i * 2]!, at[i * 2 + 1]!);
    if (colour === undefined) continue;
    isDone[i] = 1;
    const word = numbers[i]!;
    words[word] = ((words[word]! & ~colourBits) | colour) >>> 0;
  }
  return 0;
}

type ReadWindow = (number: number, window: SheetWindow) => Promise<Uint8Array | 'damaged' | undefined>;

/** Reads no damaged window twice: one with a damaged cell is damaged. @param isAllowed otherwise damage ends the job */
function createDamageGuard(
  read: (number: number, window: SheetWindow) => Promise<Uint8Array | undefined>,
  isAllowed: boolean,
): ReadWindow {
  const damaged = new Map<number, SheetWindow[]>();
  return async (number, window) => {
    if (damaged.get(number)?.some((part) => touches(part, window))) return 'damaged';
    try {
      return await read(number, window);
    } catch (error) {
      if (!isAllowed || !(error instanceof JobFailure)) throw error;
      const isCell = window.width <= cellSide && window.height <= cellSide;
      if (isCell) damaged.set(number, [...(damaged.get(number) ?? []), window]);
      return 'damaged';
    }
  };
}

const touches = (one: SheetWindow, other: SheetWindow): boolean =>
  one.column < other.column + other.width &&
  other.column < one.column + one.width &&
  one.row < other.row + other.height &&
  other.row < one.row + one.height;
