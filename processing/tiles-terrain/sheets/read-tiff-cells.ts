import { LRUCache } from 'lru-cache';
import { BytesError } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import { openBlocks, type BlockReader, type Samples } from '@platen/formats/geotiff/read-block';
import { readImage, type TiffImage } from '@platen/formats/geotiff/read-image';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import type { CellReader, CellWindow, Sheet } from './sheet.ts';

/** Reads the first band of a GeoTIFF. @param cacheBytes for unpacked tiles. @throws BytesError */
export async function readTiffCells(sheet: Sheet, cacheBytes: number): Promise<CellReader> {
  const bytes = await openFile(sheet.path);
  try {
    const tiff = await readTiff(bytes);
    const image = await readImage(tiff, tiff.directories[0]!);
    const blocks = openBlocks(tiff, image);
    if (!blocks) throw new BytesError('its pixels are stored in a way that is not read here');
    const known = new LRUCache<number, { readonly samples: Samples | undefined }>({
      maxSize: Math.max(1, Math.floor(cacheBytes)),
      maxEntrySize: Math.max(1, Math.floor(cacheBytes)),
      sizeCalculation: ({ samples }) => (samples?.byteLength ?? 0) + 64,
    });
    const blockAt = async (column: number, row: number): Promise<Samples | undefined> => {
      const key = row * blocks.columns + column;
      const cached = known.get(key);
      if (cached !== undefined) return cached.samples;
      const samples = await blocks.read(column, row);
      known.set(key, { samples });
      return samples;
    };
    return {
      read: (window) => gather(window, { sheet, image, blocks, blockAt }),
      close: () => bytes.close(),
    };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

interface TiffCells {
  readonly sheet: Sheet;
  readonly image: TiffImage;
  readonly blocks: BlockReader;
  readonly blockAt: (column: number, row: number) => Promise<Samples | undefined>;
}

async function gather(window: CellWindow, cells: TiffCells): Promise<Float32Array> {
  const { blockWidth, blockHeight } = cells.image;
  const values = new Float32Array(window.width * window.height).fill(NaN);
  const lastColumn = Math.floor((window.column + window.width - 1) / blockWidth);
  const lastRow = Math.floor((window.row + window.height - 1) / blockHeight);
  for (let row = Math.floor(window.row / blockHeight); row <= lastRow; row++) {
    for (let column = Math.floor(window.column / blockWidth); column <= lastColumn; column++) {
      const samples = await cells.blockAt(column, row);
      if (samples !== undefined) copyBlock(samples, { column, row }, { window, values, cells });
    }
  }
  return values;
}

function copyBlock(
  samples: Samples,
  block: { readonly column: number; readonly row: number },
  {
    window,
    values,
    cells: { image, sheet },
  }: { readonly window: CellWindow; readonly values: Float32Array; readonly cells: TiffCells },
): void {
  const { noData, scale = 1, offset = 0 } = sheet;
  const perPixel = image.isPlanar ? 1 : image.bands;
  const { alphaBand } = image;
  const hidden = alphaBand === undefined || image.isPlanar ? -1 : alphaBand;
  const [left, top] = [block.column * image.blockWidth, block.row * image.blockHeight];
  const from = Math.max(left, window.column);
  const to = Math.min(left + image.blockWidth, window.column + window.width);
  const toRow = Math.min(top + image.blockHeight, window.row + window.height);
  for (let row = Math.max(top, window.row); row < toRow; row++) {
    let at = ((row - top) * image.blockWidth + from - left) * perPixel;
    let target = (row - window.row) * window.width + from - window.column;
    for (let column = from; column < to; column++, at += perPixel, target++) {
      const value = samples[at]!;
      if (value === noData || (hidden >= 0 && samples[at + hidden] === 0)) continue;
      values[target] = value * scale + offset;
    }
  }
}
