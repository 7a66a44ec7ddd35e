import { numbersOf, type Tiff } from './read-tiff.ts';
import type { TiffImage } from './read-image.ts';
import { tag } from './tags.ts';

const ghost = 'GDAL_STRUCTURAL_METADATA_SIZE=';
/** Up to this side, an image needs neither tiles nor overviews. */
const smallSide = 512;

export interface CogLayout {
  /** Why it is not cloud-optimized; empty: it is. */
  readonly faults: readonly string[];
  /** The writer says so at the start of the file. */
  readonly hasGhostArea: boolean;
}

/**
 * Looks whether a reader over HTTP gets by with few ranges: tiles, overviews, all directories at the start, and the
 * pixels of overviews before those of the image. @throws BytesError
 */
export async function checkCogLayout(tiff: Tiff, images: readonly TiffImage[]): Promise<CogLayout> {
  const [image, ...others] = images.filter(({ isMask }) => !isMask);
  if (!image) return { faults: ['it holds no image'], hasGhostArea: false };
  const overviews = others.filter(({ isOverview }) => isOverview);
  const head = await tiff.bytes.read(tiff.isBig ? 16 : 8, ghost.length);
  const hasGhostArea = new TextDecoder().decode(head) === ghost;
  const faults: string[] = [];
  const isLarge = Math.max(image.width, image.height) > smallSide;
  if (isLarge && !image.isTiled) faults.push('it is stored in strips, not in tiles');
  if (isLarge && overviews.length === 0) faults.push('it has no overviews');
  for (const [i, { width, height }] of overviews.entries()) {
    const larger = overviews[i - 1] ?? image;
    if (
      width > larger.width ||
      height > larger.height ||
      (width === larger.width && height === larger.height)
    )
      faults.push('its overviews are not sorted by size');
  }
  const offsets = images.map(({ directory }) => directory.offset);
  if (offsets.some((offset, i) => i > 0 && offset < offsets[i - 1]!))
    faults.push('its directories are not in order');
  const data = await Promise.all([image, ...overviews].map((one) => firstBlockOf(tiff, one)));
  const known = data.filter((offset) => offset !== undefined);
  const lastDirectory = Math.max(...offsets);
  if (known.some((offset) => offset < lastDirectory))
    faults.push('some of its directories are behind the pixels');
  if (known.some((offset, i) => i > 0 && offset > known[i - 1]!))
    faults.push('the pixels of its overviews are behind those of the image');
  return { faults: [...new Set(faults)], hasGhostArea };
}

const looked = 4096;

/** Sparse files have blocks that are nowhere. */
async function firstBlockOf(tiff: Tiff, { directory, isTiled }: TiffImage): Promise<number | undefined> {
  const offsets = await numbersOf(tiff, directory, isTiled ? tag.tileOffsets : tag.stripOffsets, {
    count: looked,
  });
  return offsets.find((offset) => offset > 0);
}
