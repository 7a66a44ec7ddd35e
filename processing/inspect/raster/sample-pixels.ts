import {
  openBlocks,
  type BlockReader,
  type DecodePicture,
  type Samples,
} from '@platen/formats/geotiff/read-block';
import type { TiffImage } from '@platen/formats/geotiff/read-image';
import type { Tiff } from '@platen/formats/geotiff/read-tiff';

/** Pixels sampled evenly over an image. */
export interface PixelSample {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** Bands interleaved by pixel; NaN where the file has no data. */
  readonly values: Float64Array;
}

interface Options {
  /** Side of the sample, in pixels. */
  readonly side: number;
  readonly isOver: () => boolean;
  /** See InspectionContext. */
  readonly memoryBytes: number;
  readonly decodePicture: DecodePicture | undefined;
}

const maxBands = 4;
const maxPackedBytes = 32 << 20;
const maxPixels = 48 << 20;
const maxBlockBytes = 64 << 20;
/** A block is in memory packed, unpacked, and while its bytes are put in order. */
const maxBlockShare = 1 / 6;

/** @returns undefined if it cannot be read, or only by reading too much. @throws BytesError */
export async function samplePixels(
  tiff: Tiff,
  image: TiffImage,
  { side, isOver, memoryBytes, decodePicture }: Options,
): Promise<PixelSample | undefined> {
  const blocks = openBlocks(tiff, image, {
    decodePicture,
    maxBlockBytes: Math.min(maxBlockBytes, Math.floor(memoryBytes * maxBlockShare)),
  });
  if (!blocks) return undefined;
  const scale = Math.max(1, Math.max(image.width, image.height) / side);
  const width = Math.max(1, Math.round(image.width / scale));
  const height = Math.max(1, Math.round(image.height / scale));
  const bands = Math.min(maxBands, image.bands);
  const columns = group(width, image.width, image.blockWidth);
  const rows = group(height, image.height, image.blockHeight);
  if (!(await isAffordable(blocks, image, columns.length * rows.length))) return undefined;
  const values = new Float64Array(width * height * bands).fill(NaN);
  const planes = image.isPlanar ? bands : 1;
  for (const row of rows) {
    for (const column of columns) {
      for (let plane = 0; plane < planes; plane++) {
        if (isOver()) return undefined;
        const samples = await blocks.read(column.block, row.block, plane);
        if (samples) copySamples(samples, { image, row, column, values, width, bands, plane });
      }
    }
  }
  return { width, height, bands, values };
}

/** Sampled columns or rows within one block: their index in the sample and in the block. */
interface Group {
  readonly block: number;
  readonly places: readonly (readonly [sample: number, pixel: number])[];
}

function group(count: number, size: number, blockSize: number): Group[] {
  const groups = new Map<number, [number, number][]>();
  for (let i = 0; i < count; i++) {
    const pixel = Math.min(size - 1, Math.floor(((i + 0.5) * size) / count));
    const block = Math.floor(pixel / blockSize);
    const places = groups.get(block) ?? [];
    places.push([i, pixel - block * blockSize]);
    groups.set(block, places);
  }
  return [...groups].map(([block, places]) => ({ block, places }));
}

async function isAffordable(blocks: BlockReader, image: TiffImage, count: number): Promise<boolean> {
  const planes = image.isPlanar ? Math.min(maxBands, image.bands) : 1;
  if (count * planes * image.blockWidth * image.blockHeight > maxPixels) return false;
  const middle = await blocks.packedBytes(blocks.columns >> 1, blocks.rows >> 1);
  return middle * count * planes <= maxPackedBytes;
}

interface BlockTarget {
  readonly image: TiffImage;
  readonly row: Group;
  readonly column: Group;
  readonly values: Float64Array;
  readonly width: number;
  readonly bands: number;
  readonly plane: number;
}

function copySamples(
  samples: Samples,
  { image, row, column, values, width, bands, plane }: BlockTarget,
): void {
  const perPixel = image.isPlanar ? 1 : image.bands;
  for (const [y, blockY] of row.places) {
    for (const [x, blockX] of column.places) {
      const from = (blockY * image.blockWidth + blockX) * perPixel;
      const to = (y * width + x) * bands;
      if (image.isPlanar) values[to + plane] = samples[from] ?? NaN;
      else for (let band = 0; band < bands; band++) values[to + band] = samples[from + band] ?? NaN;
    }
  }
}
