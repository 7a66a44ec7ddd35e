import { openFile, type OpenFile } from '@platen/formats/bytes/open-file';
import type { Samples } from '@platen/formats/geotiff/read-block';
import { readImage } from '@platen/formats/geotiff/read-image';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import { LRUCache } from 'lru-cache';
import type { RasterSheet } from './raster-sheet.ts';
import { openSheetBlocks, type OpenPart } from './sheet-blocks.ts';

export interface OpenSheet {
  readonly file: OpenFile;
  readonly image: OpenPart;
  readonly mask: OpenPart | undefined;
}

/** Sheets by their numbers; few are open at a time. */
export interface OpenSheets {
  get(number: number): Promise<OpenSheet>;
  close(): Promise<void>;
}

/** Files that are open at a time. */
const maxOpen = 64;

/** @param cacheBytes for unpacked blocks of sheets */
export function openSheets(sheets: readonly RasterSheet[], cacheBytes: number): OpenSheets {
  const known: BlockCache = new LRUCache({
    maxSize: Math.max(1, Math.floor(cacheBytes)),
    sizeCalculation: ({ samples }) => (samples?.byteLength ?? 0) + 64,
  });
  const closing = new Set<Promise<void>>();
  const opened = new LRUCache<number, OpenSheet>({
    max: maxOpen,
    dispose: ({ file }) => void closing.add(file.close()),
  });
  return {
    async get(number) {
      const former = opened.get(number);
      if (former) return former;
      const one = await openParts(sheets[number]!, { number, known, cacheBytes });
      opened.set(number, one);
      return one;
    },
    async close() {
      opened.clear();
      await Promise.all(closing);
    },
  };
}

type BlockCache = LRUCache<string, { readonly samples: Samples | undefined }>;

interface SheetCache {
  readonly number: number;
  readonly known: BlockCache;
  readonly cacheBytes: number;
}

async function openParts(sheet: RasterSheet, { number, known, cacheBytes }: SheetCache): Promise<OpenSheet> {
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
