import { openFile, type OpenFile } from '@platen/formats/bytes/open-file';
import { readImage } from '@platen/formats/geotiff/read-image';
import type { Samples } from '@platen/formats/geotiff/read-block';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import { LRUCache } from 'lru-cache';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { brokenSheet } from './broken-sheet.ts';
import { copyPixels } from './copy-pixels.ts';
import type { Mosaic, PlacedSheet } from './one-grid.ts';
import { emptySquare } from '../pyramid/pending-units.ts';
import type { RasterShape } from '../pyramid/raster-shape.ts';
import type { UnitPlace } from '../pyramid/unit-order.ts';
import { openSheetBlocks, type OpenPart } from './sheet-blocks.ts';

/** Reads units of a mosaic. */
export interface MosaicReader {
  read(place: UnitPlace): Promise<PixelSquare | undefined>;
  close(): Promise<void>;
}

interface OpenSheet {
  readonly file: OpenFile;
  readonly image: OpenPart;
  readonly mask: OpenPart | undefined;
}

/** Files that are open at a time. */
const maxOpen = 64;

/** @param cacheBytes for unpacked blocks of sheets */
export function openMosaic({ sheets }: Mosaic, shape: RasterShape, cacheBytes: number): MosaicReader {
  const known = new LRUCache<string, { readonly samples: Samples | undefined }>({
    maxSize: Math.max(1, Math.floor(cacheBytes)),
    sizeCalculation: ({ samples }) => (samples?.byteLength ?? 0) + 64,
  });
  const closing = new Set<Promise<void>>();
  const opened = new LRUCache<number, OpenSheet>({
    max: maxOpen,
    dispose: ({ file }) => void closing.add(file.close()),
  });
  const openNumber = async (number: number): Promise<OpenSheet> => {
    const former = opened.get(number);
    if (former) return former;
    const one = await openParts(sheets[number]!, { number, known, cacheBytes });
    opened.set(number, one);
    return one;
  };
  return {
    async read({ column, row }) {
      const side = shape.unitSide;
      const window = { left: column * side, top: row * side, side };
      let square: PixelSquare | undefined;
      for (const [number, placed] of sheets.entries()) {
        if (!touches(placed, window)) continue;
        try {
          const { image, mask } = await openNumber(number);
          square ??= emptySquare(shape);
          await copyPixels(square, { placed, image, mask, window, shape, isFirst: number === 0 });
        } catch (error) {
          throw brokenSheet(placed.sheet.name, error);
        }
      }
      return square && isEmpty(square, shape) ? undefined : square;
    },
    async close() {
      opened.clear();
      await Promise.all(closing);
    },
  };
}

function touches(
  { sheet, column, row }: PlacedSheet,
  { left, top, side }: { readonly left: number; readonly top: number; readonly side: number },
): boolean {
  return column < left + side && row < top + side && column + sheet.width > left && row + sheet.height > top;
}

interface SheetCache {
  readonly number: number;
  readonly known: LRUCache<string, { readonly samples: Samples | undefined }>;
  readonly cacheBytes: number;
}

async function openParts(
  { sheet }: PlacedSheet,
  { number, known, cacheBytes }: SheetCache,
): Promise<OpenSheet> {
  const file = await openFile(sheet.path);
  const tiff = await readTiff(file);
  const partOf = async (directory: number): Promise<OpenPart> => {
    const image = await readImage(tiff, tiff.directories[directory]!);
    const blocks = (await openSheetBlocks(tiff, image, cacheBytes))!;
    return {
      image,
      async read(column, row, plane) {
        const key = [number, directory, plane, row, column].join(' ');
        const cached = known.get(key);
        if (cached) return cached.samples;
        const samples = await blocks.read(column, row, plane);
        known.set(key, { samples });
        return samples;
      },
    };
  };
  const mask = sheet.maskDirectory === undefined ? undefined : await partOf(sheet.maskDirectory);
  return { file, image: await partOf(0), mask };
}

/** Squares without data are left out of the file: readers take them for no data. */
function isEmpty({ samples }: PixelSquare, { meaning: { noData = 0 }, hasMask }: RasterShape): boolean {
  return !hasMask && samples.every((value) => Object.is(value, noData));
}
