import type { Samples } from '@platen/formats/geotiff/read-block';
import { LRUCache } from 'lru-cache';
import type { OpenPart, RasterPixels } from './raster-sheet.ts';
import { openPart } from './sheet-blocks.ts';

export interface OpenSheet {
  readonly image: OpenPart;
  readonly mask: OpenPart | undefined;
  close(): Promise<void>;
}

/** Sheets by their numbers; few are open at a time. */
export interface OpenSheets {
  get(number: number): Promise<OpenSheet>;
  close(): Promise<void>;
}

/** Files that are open at a time. */
const maxOpen = 64;

/** @param cacheBytes for unpacked blocks of sheets */
export function openSheets(sheets: readonly RasterPixels[], cacheBytes: number): OpenSheets {
  const known: BlockCache = new LRUCache({
    maxSize: Math.max(1, Math.floor(cacheBytes)),
    sizeCalculation: ({ samples }) => (samples?.byteLength ?? 0) + 64,
  });
  const closing = new Set<Promise<void>>();
  const opened = new LRUCache<number, OpenSheet>({
    max: maxOpen,
    dispose: (sheet) => void closing.add(sheet.close()),
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

async function openParts(sheet: RasterPixels, { number, known, cacheBytes }: SheetCache): Promise<OpenSheet> {
  const image = await openPart({ path: sheet.path, directory: 0 }, cacheBytes);
  const mask =
    sheet.mask &&
    (await openPart(sheet.mask, cacheBytes).catch(async (error: unknown) => {
      await image.close();
      throw error;
    }));
  const cached = ({ image: described, read, readInto }: OpenPart, kind: string): OpenPart => ({
    image: described,
    readInto,
    async read(column, row, plane) {
      const key = [number, kind, plane, row, column].join(' ');
      const former = known.get(key);
      if (former) return former.samples;
      const samples = await read(column, row, plane);
      known.set(key, { samples });
      return samples;
    },
  });
  return {
    image: cached(image, 'image'),
    mask: mask && cached(mask, 'mask'),
    async close() {
      await Promise.all([image.close(), mask?.close()]);
    },
  };
}
